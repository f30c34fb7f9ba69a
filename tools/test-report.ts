/**
 * Runs test files under node:test, each in a process of its own, and reports a
 * line for each file, the whole story of each failure when it happens, and all
 * of them by name at the end.
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

export interface Failure {
  /** `file:line`, relative to the repository. */
  at: string;
  /** With the names of the suites around it. */
  name: string;
  /** The first lines of what it threw. */
  error: string[];
}

export interface Report extends Totals {
  failures: Failure[];
  /** How long each file took, in milliseconds. */
  times: { file: string; tookMs: number }[];
}

export interface RunOptions {
  files: string[];
  /** How many files run at the same time. */
  concurrency: number;
  signal: AbortSignal;
  /** Says each test as it passes, where a file takes minutes. */
  each?: boolean;
}

const FAILED_INSIDE = new Set(['subtestsFailed']);
const SLOWEST = 10;
/** Of an error, at the end: enough for the difference of two short values. */
const ERROR_LINES = 12;

export function emptyReport(): Report {
  return { passed: 0, failed: 0, skipped: 0, failures: [], times: [] };
}

/** Runs the files to their end. A file that cannot even be loaded counts as a failure. */
export async function runFiles(options: RunOptions): Promise<Report> {
  const { files, concurrency, signal, each = false } = options;
  const report = emptyReport();
  const perFile = new Map<string, Totals>();
  const namesOf = new Map<string | undefined, string[]>();
  const count = (file: string | undefined, kind: keyof Totals) => {
    report[kind] += 1;
    const totals = perFile.get(file ?? '') ?? { passed: 0, failed: 0, skipped: 0 };
    totals[kind] += 1;
    perFile.set(file ?? '', totals);
  };

  const stream = run({ files, concurrency, signal, cwd: ROOT });
  stream.on('test:start', ({ file, nesting, name }) => {
    namesOf.set(file, [...(namesOf.get(file) ?? []).slice(0, nesting), name]);
  });
  stream.on('test:pass', (data) => {
    if (!isLeaf(data)) return;
    count(data.file, isSkipped(data) ? 'skipped' : 'passed');
    if (each && !isSkipped(data)) say(`  ${data.name} (${seconds(data.details.duration_ms)} s)`);
  });
  stream.on('test:fail', (data) => {
    // A suite fails because of what is inside it, and that is reported itself.
    if (FAILED_INSIDE.has(failureType(data))) return;
    count(data.file, 'failed');
    const suites = (namesOf.get(data.file) ?? []).slice(0, data.nesting);
    const failure = describeFailure(data, suites);
    report.failures.push(failure);
    reportFailure(data, failure);
  });
  stream.on('test:stderr', ({ message }) => process.stderr.write(message));
  stream.on('test:stdout', ({ message }) => process.stdout.write(message));
  stream.on('test:summary', ({ file, success, duration_ms: tookMs }) => {
    if (file === undefined) return;
    report.times.push({ file: relative(ROOT, file), tookMs });
    reportFile(file, success, perFile.get(file), tookMs);
  });
  stream.resume();
  await new Promise<void>((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
  });
  return report;
}

/** One report of several parts. */
export function add(to: Report, part: Report): void {
  for (const kind of ['passed', 'failed', 'skipped'] as const) to[kind] += part[kind];
  to.failures.push(...part.failures);
  to.times.push(...part.times);
}

/** The end of a run: what took longest, the totals, and under them what failed. */
export function summary(report: Report): string[] {
  const slowest = report.times
    .toSorted((one, other) => other.tookMs - one.tookMs)
    .slice(0, SLOWEST)
    .map(({ file, tookMs }) => `${seconds(tookMs).padStart(7)} s  ${file}`);
  const failed = report.failures.flatMap(({ at, name, error }) => [
    styleText('red', `✗ ${name}`, { stream: process.stdout }),
    `    ${at}`,
    ...error.map((line) => `    ${line}`),
  ]);
  return [
    ...(report.times.length > SLOWEST ? ['', 'The slowest files:', ...slowest] : []),
    '',
    inWords(report),
    ...(failed.length > 0 ? ['', ...failed] : []),
  ];
}

/** `N passed, N failed, N skipped`; the last only when there were any. */
function inWords({ passed, failed, skipped }: Totals): string {
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

function describeFailure(data: EventData.TestFail, suites: string[]): Failure {
  const { error } = data.details;
  const cause: unknown = error.cause ?? error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : inspect(cause);
  return {
    at: data.file === undefined ? data.name : `${relative(ROOT, data.file)}:${data.line ?? 1}`,
    name: [...suites, data.name].join(' › '),
    error: text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, ERROR_LINES),
  };
}

function reportFile(
  file: string,
  success: boolean,
  totals: Totals = { passed: 0, failed: 0, skipped: 0 },
  tookMs: number,
): void {
  const mark = success
    ? styleText('green', '✓', { stream: process.stdout })
    : styleText('red', '✗', { stream: process.stdout });
  say(`${mark} ${relative(ROOT, file)}  ${inWords(totals)} (${seconds(tookMs)} s)`);
}

function reportFailure(data: EventData.TestFail, { at, name }: Failure): void {
  const { error } = data.details;
  say();
  say(styleText(['red', 'bold'], `✗ ${name}`, { stream: process.stdout }));
  say(`  at ${at}`);
  const text = inspect(error.cause ?? error, { colors: process.stdout.isTTY === true, depth: 6 });
  for (const line of text.split('\n')) say(`  ${line}`);
  say();
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
