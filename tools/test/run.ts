/**
 * Runs test files by node:test. Files of one group share a process and run there one after the
 * other; groups run side by side. One throw-away PostgreSQL serves all of them, in which each file
 * has a database of its own, and one temporary folder holds what they write.
 */
import {
  accessSync,
  constants,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import postgres from 'postgres';
import { connectionOptions, withDatabase } from '../../apps/api/src/platform/db/database-url.ts';
import { findChromium } from './chromium.ts';
import { apiBuild } from '../api-build.ts';
import { isBuilt, makeBuild } from '../build-folder.ts';
import { ROOT } from '../configuration.ts';
import { startPostgres } from '../postgres/server.ts';
import { interruption } from '../interruption.ts';
import { PlainError } from '../plain-error.ts';
import { say, step } from '../progress.ts';
import { webBuild } from '../web-build.ts';

/** Two more than cores: groups often wait for their database, a clock or a browser. */
const GROUPS_AT_ONCE = availableParallelism() + 2;
/** Shared by the processes of all runs, which load the same modules. */
const COMPILED = join(ROOT, '.cache', 'compiled');
/** Of a test that names none: three times what the slowest takes on a busy machine. */
const TIMEOUT_MS = 3 * 60_000;
const MEMORY = '/dev/shm';
/** A whole run takes less than a quarter of it. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Runs the files of these globs that have one of the words in their path; all of them without words.
 * @returns The exit code: 0 when everything that ran has passed.
 */
export async function runTests(
  globs: readonly string[],
  words: readonly string[],
): Promise<number> {
  const signal = interruption();
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const found = find(globs, words);
  if (found.length === 0) throw new PlainError(`No test file matches ${words.join(' ')}.`);
  const chromium = findChromium(process.env);
  const skipped = chromium === null ? found.filter(needsBrowser) : [];
  if (skipped.length > 0 && isBrowserRequired()) {
    throw new PlainError(
      'The browser journeys need Chromium, which was not found, and CI or REQUIRE_BROWSER demands them. Install it (on Debian: apt-get install chromium-headless-shell, or chromium) or name it in CHROMIUM.',
    );
  }
  if (chromium !== null) process.env['CHROMIUM'] = chromium;
  const files = found.filter((file) => !skipped.includes(file));
  for (const build of files.some(needsBrowser) ? [apiBuild, webBuild] : []) {
    if (!isBuilt(build)) await step(`Building the ${build.name}`, () => makeBuild(build, signal));
  }
  const code = await inTestFolder(async (folder) => {
    const groups = writeGroups(files, join(folder, 'groups'));
    process.env['DEMO_DATA'] = join(folder, 'demo-data');
    if (files.every(needsBrowser)) return runGroups(groups, signal);
    return withDatabaseServer(join(folder, 'database'), () => runGroups(groups, signal));
  });
  if (signal.aborted) return 130;
  if (skipped.length > 0) {
    say('These did not run, because Chromium was not found. Install it, or name it in CHROMIUM:');
    for (const file of skipped) say(`  - ${file}`);
  }
  return code;
}

function find(globs: readonly string[], words: readonly string[]): string[] {
  const exclude = ['**/node_modules', '**/build', '**/.svelte-kit'];
  return globSync([...globs], { cwd: ROOT, exclude })
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .toSorted();
}

function needsBrowser(file: string): boolean {
  return file.startsWith('e2e/');
}

function isBrowserRequired(): boolean {
  const yes = (value: string | undefined) =>
    value !== undefined && !['', '0', 'false'].includes(value);
  return yes(process.env['CI']) || yes(process.env['REQUIRE_BROWSER']);
}

/** The journeys of a folder in this one share a desk in a process; one beside them has its own. */
const SHARED = /^e2e\/journeys\/\w+\//;

/**
 * The group of a file: its feature of the API, else its application or package. A file
 * `*.alone.test.ts` changes its process for good and has one for itself.
 */
function groupOf(file: string): string {
  const shared = SHARED.exec(file)?.[0];
  if (shared !== undefined) return shared.slice(0, -1);
  if (file.includes('.alone.') || needsBrowser(file)) return file;
  const depth = file.startsWith('apps/api/src/features/') ? 5 : file.startsWith('apps/') ? 3 : 1;
  return file.split('/').slice(0, depth).join('/');
}

/**
 * Writes for each group a file that node:test runs. The longest first, so that none ends alone: the
 * journeys, then by the number of files.
 */
function writeGroups(files: readonly string[], folder: string): string[] {
  mkdirSync(folder);
  const groups = Object.entries(Object.groupBy(files, groupOf)).toSorted(
    ([name, one = []], [otherName, other = []]) =>
      Number(needsBrowser(otherName)) - Number(needsBrowser(name)) || other.length - one.length,
  );
  return groups.map(([name, paths = []]) => {
    const entry = join(folder, `${name.replaceAll('/', '-')}.mjs`);
    const absolute = paths.map((path) => join(ROOT, path));
    const files = JSON.stringify(absolute, null, 2);
    const text = [
      `import { runGroup } from ${JSON.stringify(join(ROOT, 'tools/test/group.ts'))};`,
      ...(SHARED.test(`${name}/`) ? journeys(files) : [`await runGroup(${files});`]),
    ];
    writeFileSync(entry, `${text.join('\n')}\n`);
    return entry;
  });
}

/** Not by a hook of the process: node:test calls that after the first file. */
function journeys(files: string): string[] {
  return [
    `import { closeSharedDesk, openSharedDesk } from ${JSON.stringify(join(ROOT, 'e2e/support/shared-desk.ts'))};`,
    'await openSharedDesk();',
    `await runGroup(${files});`,
    'await closeSharedDesk();',
  ];
}

async function runGroups(files: string[], signal: AbortSignal): Promise<number> {
  const events = run({
    files,
    concurrency: GROUPS_AT_ONCE,
    timeout: TIMEOUT_MS,
    signal,
    cwd: ROOT,
  });
  let code = 1;
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined && success) code = 0;
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return code;
}

/** A folder of this run, which is TMPDIR for all that it starts. */
async function inTestFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'cambist-test-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  process.env['TMPDIR'] = temporary;
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A database is a thousand small files, which memory makes ten times as fast as a disk. */
function hasMemory(): boolean {
  if (process.env['TMPDIR'] !== undefined) return false;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** TEST_DATABASE_URL for the tests: a server whose role may create databases, unless one is given. */
async function withDatabaseServer(dataDir: string, work: () => Promise<number>): Promise<number> {
  if (process.env['TEST_DATABASE_URL']) return work();
  const server = await startPostgres({ dataDir, fsync: false });
  try {
    const sql = postgres({ ...connectionOptions(server.adminUrl), max: 1 });
    await sql`alter role cambist createdb`;
    // Some tests go around the triggers, to see that reconciliation finds it.
    await sql`grant set on parameter session_replication_role to cambist`;
    await sql.end();
    process.env['TEST_DATABASE_URL'] = withDatabase(server.url, 'postgres');
    return await work();
  } finally {
    await server.stop();
  }
}
