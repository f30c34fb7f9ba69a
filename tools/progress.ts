/**
 * What is happening and since when: on a terminal a line that ticks, elsewhere
 * (a log, a pipe) a plain line at the beginning and one now and then.
 */
import { stdout } from 'node:process';
import { styleText } from 'node:util';

const TICK_MS = 200;
const PLAIN_TICK_MS = 15_000;
const terminal = stdout.isTTY === true;

interface Running {
  readonly label: string;
  readonly began: number;
}

/** In the order of their beginning; two may go on side by side. */
const running = new Set<Running>();

/** Prints a line without disturbing the one that ticks. */
export function say(line = ''): void {
  if (terminal && running.size > 0) stdout.write('\r\x1b[K');
  stdout.write(`${line}\n`);
  if (terminal) draw();
}

/** Shows `label` while `work` runs, then how long it took. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const one = { label, began: Date.now() };
  running.add(one);
  if (!terminal) stdout.write(`${label} …\n`);
  const tick = terminal ? draw : () => stdout.write(`  ${textOf(one)}\n`);
  const timer = setInterval(tick, terminal ? TICK_MS : PLAIN_TICK_MS);
  try {
    const result = await work();
    end(styleText('green', '✓', { stream: stdout }), one);
    return result;
  } catch (error) {
    end(styleText('red', '✗', { stream: stdout }), one);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function end(mark: string, one: Running): void {
  running.delete(one);
  if (terminal) stdout.write('\r\x1b[K');
  say(`${mark} ${one.label} (${seconds(one.began, 1)} s)`);
}

function draw(): void {
  if (running.size > 0) stdout.write(`\r\x1b[K  ${[...running].map(textOf).join(' · ')}`);
}

function textOf({ label, began }: Running): string {
  return `${label} … ${seconds(began, 0)} s`;
}

function seconds(began: number, digits: number): string {
  return ((Date.now() - began) / 1000).toFixed(digits);
}
