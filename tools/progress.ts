/** What a command is doing, a line at the beginning and one at the end with the time it took. */
import { stdout } from 'node:process';
import { styleText } from 'node:util';

export function say(line = ''): void {
  stdout.write(`${line}\n`);
}

export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  say(`${label} …`);
  let mark = styleText('red', '✗', { stream: stdout });
  try {
    const result = await work();
    mark = styleText('green', '✓', { stream: stdout });
    return result;
  } finally {
    say(`${mark} ${label} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
}
