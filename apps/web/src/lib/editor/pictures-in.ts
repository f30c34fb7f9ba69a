/** The pictures of the library in a text. Pure. */
import { parseMediaPath } from '@cambist/contract/media';

/** Their paths, each once; of HTML as it is kept. */
export function picturesIn(html: string): string[] {
  const paths = [...html.matchAll(/<img\b[^>]* src="([^"]*)"/g)].map(([, path = '']) => path);
  return [...new Set(paths)].filter((path) => parseMediaPath(path) !== null);
}
