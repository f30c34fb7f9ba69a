/**
 * Runs test files under node:test, each in a process of its own, and reports a
 * line for each file and the whole story of each failure.
 */
import { relative } from 'node:path';
import { run } from 'node:test';
import type { EventData } from 'node:test';
import { inspect, styleText } from 'node:util';
import { ROOT } from './configuration.ts';
import { say } from './progress.ts';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export interface RunOptions {
  files: string[];
  /** How many files run at the same time. */
  concurrency: number;
  signal: AbortSignal;
}

const FAILED_INSIDE = new Set(['subtestsFailed']);

/** Runs the files to their end. A file that cannot even be loaded counts as a failure. */
export async function runFiles({ files, concurrency, signal }: RunOptions): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const perFile = new Map<string, Totals & { began: number }>();
  const of = (file: string) => {
    const found = perFile.get(file) ?? { passed: 0, failed: 0, skipped: 0, began: Date.now() };
    perFile.set(file, found);
    return found;
  };
  const count = (file: string | undefined, kind: keyof Totals) => {
    totals[kind] += 1;
    if (file !== undefined) of(file)[kind] += 1;
  };

  const stream = run({ files, concurrency, signal, cwd: ROOT });
  stream.on('test:dequeue', ({ name, nesting }) => {
    if (nesting === 0 && files.includes(name)) of(name);
  });
  stream.on('test:pass', (data) => {
    if (isLeaf(data)) count(data.file, isSkipped(data) ? 'skipped' : 'passed');
  });
  stream.on('test:fail', (data) => {
    // A suite fails because of what is inside it, and that is reported itself.
    if (FAILED_INSIDE.has(failureType(data))) return;
    count(data.file, 'failed');
    reportFailure(data);
  });
  stream.on('test:stderr', ({ message }) => process.stderr.write(message));
  stream.on('test:stdout', ({ message }) => process.stdout.write(message));
  stream.on('test:summary', ({ file, success, duration_ms }) => {
    if (file !== undefined) reportFile(file, success, of(file), duration_ms);
  });
  stream.resume();
  await new Promise<void>((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
  });
  return totals;
}

/** `N passed, N failed, N skipped`; the last only when there were any. */
export function inWords({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function isLeaf(data: EventData.TestPass): boolean {
  return data.details.type !== 'suite';
}

function isSkipped(data: EventData.TestPass): boolean {
  return data.skip !== undefined || data.todo !== undefined;
}

function failureType(data: EventData.TestFail): string {
  const error: Error & { failureType?: string } = data.details.error;
  return error.failureType ?? '';
}

function reportFile(file: string, success: boolean, totals: Totals, durationMs: number): void {
  const mark = success
    ? styleText('green', '✓', { stream: process.stdout })
    : styleText('red', '✗', { stream: process.stdout });
  say(`${mark} ${relative(ROOT, file)}  ${inWords(totals)} (${(durationMs / 1000).toFixed(1)} s)`);
}

function reportFailure(data: EventData.TestFail): void {
  const { error } = data.details;
  const at = data.file === undefined ? '' : `${relative(ROOT, data.file)}:${data.line ?? 1}`;
  say();
  say(styleText(['red', 'bold'], `✗ ${data.name}`, { stream: process.stdout }));
  say(`  at ${at}`);
  const text = inspect(error.cause ?? error, { colors: process.stdout.isTTY === true, depth: 6 });
  for (const line of text.split('\n')) say(`  ${line}`);
  say();
}
