/**
 * What is happening and since when: on a terminal a line that ticks, elsewhere
 * (a log, a pipe) a plain line at the beginning and one now and then.
 */
import { stdout } from 'node:process';
import { styleText } from 'node:util';

const TICK_MS = 200;
const PLAIN_TICK_MS = 15_000;
const terminal = stdout.isTTY === true;

let current: { label: string; began: number } | null = null;

/** Prints a line without disturbing the one that ticks. */
export function say(line = ''): void {
  if (terminal && current !== null) stdout.write('\r\x1b[K');
  stdout.write(`${line}\n`);
  if (terminal) tick();
}

/** Shows `label` while `work` runs, then how long it took. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  current = { label, began };
  if (!terminal) stdout.write(`${label} …\n`);
  const timer = setInterval(tick, terminal ? TICK_MS : PLAIN_TICK_MS);
  try {
    const result = await work();
    end(styleText('green', '✓', { stream: stdout }), label, began);
    return result;
  } catch (error) {
    end(styleText('red', '✗', { stream: stdout }), label, began);
    throw error;
  } finally {
    clearInterval(timer);
    current = null;
  }
}

function end(mark: string, label: string, began: number): void {
  current = null;
  if (terminal) stdout.write(`\r\x1b[K${mark} ${label} (${seconds(began, 1)} s)\n`);
  else stdout.write(`${mark} ${label} (${seconds(began, 1)} s)\n`);
}

function tick(): void {
  if (current === null) return;
  const text = `${current.label} … ${seconds(current.began, 0)} s`;
  stdout.write(terminal ? `\r\x1b[K  ${text}` : `  ${text}\n`);
}

function seconds(began: number, digits: number): string {
  return ((Date.now() - began) / 1000).toFixed(digits);
}
