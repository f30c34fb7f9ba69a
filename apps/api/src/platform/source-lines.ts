/**
 * Stack traces of the bundled API with the lines of its sources. The map is read at the first error that is
 * logged: Node's own `--enable-source-maps` reads it at the start, for 0.3 s and 38 MB, and at each error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | null>();

/** Only of the bundle: packages may bring maps of sources that are not there. */
function mapOf(path: string): SourceMap | null {
  const known = maps.get(path);
  if (known !== undefined) return known;
  const file = `${path}.map`;
  const isMapped = !path.includes('/node_modules/') && existsSync(file);
  const map = isMapped ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null;
  maps.set(path, map);
  return map;
}

export function withSourceLines(stack: string): string {
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    const path = fileURLToPath(url);
    const origin = mapOf(path)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return place;
    return `${resolve(dirname(path), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
