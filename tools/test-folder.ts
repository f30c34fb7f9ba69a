/**
 * One folder for everything that a test run puts on the disk: its PostgreSQL,
 * and the temporary folders of all test files, which find theirs by TMPDIR. A
 * run that was killed leaves it; the next one recognises it by the lock of an
 * owner who is gone, and removes it.
 */
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { holderOf, takeLock } from './lock.mjs';
import { reachableHome } from './postgres-account.ts';
import { clearLeftOver } from './postgres-left-over.ts';
import { readSecrets } from './postgres-secrets.ts';

const PREFIX = 'cambist-test-';
const NAME = /^cambist-test-[A-Za-z0-9]{6}$/;
const OWNER = 'owner.lock';
/** Linux's folder in memory: each test file's database is a thousand small files, which a disk makes in half a second. */
const MEMORY = '/dev/shm';
/** A whole run takes less than a quarter of it. */
const ENOUGH_BYTES = 4 * 2 ** 30;
// The run's own database, and those that tests start in folders of theirs.
const DATABASES = '{database,tmp/*,tmp/*/*,tmp/*/*/*}/database.json';

export interface TestFolder {
  /** For the run's database. */
  readonly dataDir: string;
  /** For TMPDIR. */
  readonly temporary: string;
  /** Where the journeys keep the data of a first start, which they copy. */
  readonly firstData: string;
  /** The names of what tests made and did not remove. */
  leftBehind(): string[];
  remove(): void;
}

/** Where runs have their folders: what TMPDIR names; else memory, where it is large enough and programs may run in it. */
export function testRoot(): string {
  return process.env['TMPDIR'] === undefined && isRoomy(MEMORY) ? MEMORY : tmpdir();
}

/** Where earlier runs may have had theirs: what those left takes room from this one. */
export function testRoots(): string[] {
  return [...new Set([testRoot(), tmpdir(), MEMORY])].filter((folder) => existsSync(folder));
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === folder);
    const options = mount?.[3]?.split(',') ?? ['noexec'];
    return bavail * bsize >= ENOUGH_BYTES && !options.includes('noexec');
  } catch {
    return false;
  }
}

/** Makes the folder of this run, in `root`. */
export function makeTestFolder(root: string = testRoot()): TestFolder {
  const folder = mkdtempSync(join(root, PREFIX));
  const lock = takeLock(join(folder, OWNER), 'a test run');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { mode: 0o700 });
  return {
    dataDir: join(folder, 'database'),
    temporary,
    firstData: join(folder, 'first-data'),
    // What browsers and npm keep there is theirs.
    leftBehind: () => readdirSync(temporary).filter((name) => name.startsWith('cambist-')),
    remove() {
      rmSync(folder, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Removes what killed runs of this user have left in these folders; answers the paths. */
export async function sweepTestFolders(...roots: readonly string[]): Promise<string[]> {
  const swept: string[] = [];
  const names = (root: string) => readdirSync(root).filter((entry) => NAME.test(entry));
  for (const folder of roots.flatMap((root) => names(root).map((name) => join(root, name)))) {
    if (!isAbandoned(folder)) continue;
    await stopDatabases(folder);
    rmSync(folder, { recursive: true, force: true });
    swept.push(folder);
  }
  return swept;
}

/** Ours, with a lock that nobody holds any more: without one it may just be being made. */
function isAbandoned(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false;
  const owner = join(folder, OWNER);
  return existsSync(owner) && holderOf(owner) === null;
}

async function stopDatabases(folder: string): Promise<void> {
  for (const path of globSync(DATABASES, { cwd: folder })) {
    const dataDir = join(folder, dirname(path));
    const apart = readSecrets(dataDir)?.account.way === 'copy';
    const home = apart ? reachableHome(dataDir) : dataDir;
    const cluster = join(home, 'postgres');
    if (existsSync(cluster)) await clearLeftOver(cluster, join(home, 'run'), () => {});
    if (apart) rmSync(home, { recursive: true, force: true });
  }
}
