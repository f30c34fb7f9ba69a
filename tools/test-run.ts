/**
 * What `npm test` and `npm run e2e` do: one throw-away PostgreSQL, then the test
 * files side by side, then the browser journeys, three at a time.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import postgres from 'postgres';
import { connectionOptions, withDatabase } from '../apps/api/src/platform/database-url.ts';
import { findChromium } from './chromium.ts';
import { ROOT } from './configuration.ts';
import { startPostgres } from './embedded-postgres.ts';
import { interruption } from './interruption.ts';
import { PlainError } from './plain-error.ts';
import { say, step } from './progress.ts';
import { makeTestFolder, sweepTestFolders, testRoots, type TestFolder } from './test-folder.ts';
import { add, emptyReport, runFiles, summary, type Report } from './test-report.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';

const TESTS = [
  'packages/**/*.test.ts',
  'apps/**/*.test.ts',
  'tools/**/*.test.ts',
  'e2e/**/*.test.ts',
];
const JOURNEYS = ['e2e/**/*.e2e.ts'];
/** Begun first, so that none of them runs alone at the end: the longest by the end of a whole run. */
const LONGEST = [
  'pages',
  'providers',
  'two-people',
  'pasted-attacks',
  'public-rates',
  'unsaved',
].map((name) => join(ROOT, 'e2e', `${name}.e2e.ts`));
/** Some wait for a mail server or a clock while others work. */
const FILES_AT_ONCE = availableParallelism() + 1;
/** Each is a database, two servers and a browser, and waits for itself a third of its time. */
const JOURNEYS_AT_ONCE = 3;
/** What Node has compiled, for each of the hundreds of processes that load the same modules. */
const COMPILED = join(ROOT, '.cache', 'compiled');

export interface TestOptions {
  /** Parts of a path; only files with one of them run. All files when empty. */
  patterns: readonly string[];
  /** Leaves out what needs no browser. */
  journeysOnly?: boolean;
}

/** Answers the exit code: 0 when everything that ran has passed. */
export async function runTests({ patterns, journeysOnly = false }: TestOptions): Promise<number> {
  const signal = interruption();
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const tests = journeysOnly ? [] : find(TESTS, patterns);
  const journeys = find(JOURNEYS, patterns);
  if (tests.length + journeys.length === 0) {
    throw new PlainError(`No test file matches ${patterns.join(' ') || JOURNEYS.join(' ')}.`);
  }
  const chromium = journeys.length > 0 ? findChromium(process.env) : null;
  const left = chromium === null ? journeys : [];
  if (left.length > 0 && isBrowserRequired()) {
    throw new PlainError(
      'The browser journeys need Chromium, which was not found, and CI or REQUIRE_BROWSER demands them. Install it (on Debian: apt-get install chromium-headless-shell, or chromium) or name it in CHROMIUM.',
    );
  }

  const report = emptyReport();
  report.skipped = left.length;
  const part = async (files: string[], concurrency: number, each: boolean) => {
    if (files.length === 0 || signal.aborted) return;
    add(report, await runFiles({ files, concurrency, signal, each }));
  };
  const leftBehind = await inTestFolder(({ dataDir, firstData }) =>
    withTestServer(dataDir, async () => {
      // The build is one process for half a minute: beside the tests it costs nobody a wait.
      const [isServed] = await Promise.all([
        chromium !== null && canServe(signal),
        part(tests, FILES_AT_ONCE, false),
      ]);
      if (chromium === null) return;
      process.env['CHROMIUM'] = chromium;
      // Of no use to a single journey, which would make it and then copy it.
      if (journeys.length > 1) process.env['FIRST_DATA'] = firstData;
      if (isServed) await part(longestFirst(journeys), JOURNEYS_AT_ONCE, true);
      else journeys.forEach((file) => fail(report, file, 'The frontend could not be built.'));
    }),
  );
  if (signal.aborted) {
    say('Interrupted.');
    return 130;
  }
  for (const name of leftBehind) fail(report, name, 'A test left this temporary folder behind.');
  if (left.length > 0) {
    say();
    say(
      'The browser journeys did not run: Chromium was not found. Install it, or name it in CHROMIUM:',
    );
    for (const file of left) say(`  - ${relative(ROOT, file)}`);
  }
  for (const line of summary(report)) say(line);
  return report.failed > 0 || report.passed === 0 ? 1 : 0;
}

/** What failed without being a test. */
function fail(report: Report, subject: string, error: string): void {
  report.failed += 1;
  report.failures.push({ at: relative(ROOT, subject), name: basename(subject), error: [error] });
}

/** A frontend that cannot be built fails the journeys, and what passed before them still counts. */
async function canServe(signal: AbortSignal): Promise<boolean> {
  try {
    if (!isWebBuilt()) await step('Building the frontend', () => buildWeb(signal));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!(error instanceof PlainError)) throw error;
    say(error.message);
    return false;
  }
}

function longestFirst(journeys: readonly string[]): string[] {
  const isLong = (file: string) => LONGEST.includes(file);
  return [
    ...LONGEST.filter((file) => journeys.includes(file)),
    ...journeys.filter((file) => !isLong(file)),
  ];
}

function find(globs: readonly string[], patterns: readonly string[]): string[] {
  return globs
    .flatMap((glob) =>
      globSync(glob, { cwd: ROOT, exclude: ['**/node_modules', '**/build', '**/.svelte-kit'] }),
    )
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)))
    .toSorted()
    .map((path) => join(ROOT, path));
}

function isBrowserRequired(): boolean {
  const yes = (value: string | undefined) =>
    value !== undefined && !['', '0', 'false'].includes(value);
  return yes(process.env['CI']) || yes(process.env['REQUIRE_BROWSER']);
}

/** The folder of this run, as TMPDIR for all that it starts. Answers what tests left in it. */
async function inTestFolder(work: (folder: TestFolder) => Promise<void>): Promise<string[]> {
  for (const path of await sweepTestFolders(...testRoots()))
    say(`Removed ${path}, which a killed run had left.`);
  const folder = makeTestFolder();
  process.env['TMPDIR'] = folder.temporary;
  try {
    await work(folder);
    return folder.leftBehind();
  } finally {
    folder.remove();
  }
}

/** TEST_DATABASE_URL for the tests: a server whose role may create databases, unless one is given. */
async function withTestServer(dataDir: string, work: () => Promise<void>): Promise<void> {
  if (process.env['TEST_DATABASE_URL']) return work();
  const server = await startPostgres({ dataDir, fsync: false, log: () => {} });
  try {
    const sql = postgres({ ...connectionOptions(server.adminUrl), max: 1 });
    await sql`alter role cambist createdb`;
    // Some tests go around the triggers, to see that reconciliation finds it.
    await sql`grant set on parameter session_replication_role to cambist`;
    await sql.end();
    process.env['TEST_DATABASE_URL'] = withDatabase(server.url, 'postgres');
    await work();
  } finally {
    await server.stop();
  }
}
