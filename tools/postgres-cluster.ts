/**
 * Where a cluster lies and how it is made: once, under the first account that
 * works, in a folder that gets its name last.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainError } from './plain-error.ts';
import { accounts, copyBinaries, giveTo, reachableHome, type Account } from './postgres-account.ts';
import { findBinaries } from './postgres-binaries.ts';
import { explain, run, type Place } from './postgres-process.ts';
import { readSecrets, writeSecrets, type Secrets } from './postgres-secrets.ts';

const MAJOR_VERSION = '18';
// `sun_path` of a Unix socket holds 108 bytes, the last of them zero.
const LONGEST_SOCKET_PATH = 107;

export interface PostgresOptions {
  /** Absolute; the cluster goes into `postgres` below it. */
  dataDir: string;
  /** Off only where losing the data is no loss: in tests. */
  fsync?: boolean;
  log: (line: string) => void;
  /** Restricts the ways in which root may run a new cluster, to try each in tests. */
  ways?: readonly Account['way'][];
}

/** Makes the cluster when there is none. It gets its name last, so a broken start leaves no half one. */
export async function prepareCluster({
  dataDir,
  fsync = true,
  log,
  ways,
}: PostgresOptions): Promise<Secrets> {
  const known = readSecrets(dataDir);
  if (known !== null && existsSync(placeFor(dataDir, known.account).cluster)) {
    // Recomputed, because root may now start what an ordinary user made.
    const [account] = accounts(known.account, placeFor(dataDir, known.account).cluster);
    const secrets = { ...known, account: account ?? known.account };
    // A cluster of a version without the owner's role gets one.
    if (known.ownerPassword === undefined) return writeSecrets(dataDir, secrets.account, known);
    return secrets;
  }
  if (known === null && existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new PlainError(
      `${join(dataDir, 'database.json')} is missing, and with it the password of the database beside it. Put it back from your backup.`,
    );
  }
  log('preparing the database for the first time');
  let last: string[] = [];
  for (const account of accounts(null, join(dataDir, 'postgres'))) {
    if (ways !== undefined && !ways.includes(account.way)) continue;
    const secrets = writeSecrets(dataDir, account);
    last = await initialise(placeFor(dataDir, account), secrets, fsync);
    if (last.length === 0) return secrets;
    if (/No space left on device/.test(last.join('\n'))) break;
  }
  throw explain(last, dataDir);
}

/** Runs initdb. Answers its output when it failed, and nothing when it did not. */
async function initialise(place: Place, secrets: Secrets, fsync: boolean): Promise<string[]> {
  const { account, superuserPassword } = secrets;
  const draft = `${place.cluster}.part`;
  const passwordFile = `${place.cluster}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
  giveTo(account, draft);
  giveTo(account, passwordFile);
  try {
    const words = [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorting that no update of the system's libraries can change under an index.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-locale',
      '--no-instructions',
      ...(fsync ? [] : ['--no-sync']),
    ];
    const initdb = run(place, account, 'initdb', words);
    const lines = await initdb.ended;
    if (initdb.child.exitCode !== 0) {
      rmSync(draft, { recursive: true, force: true });
      return lines.length === 0 ? ['initdb ended without a word'] : lines;
    }
    renameSync(draft, place.cluster);
    return [];
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

export function placeFor(dataDir: string, account: Account): Place {
  const binaries = findBinaries();
  const apart = account.way === 'copy';
  const home = apart ? reachableHome(dataDir) : dataDir;
  const wanted = join(home, 'run');
  const fits = Buffer.byteLength(join(wanted, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return {
    cluster: join(home, 'postgres'),
    socketDirectory: fits ? wanted : join(tmpdir(), `cambist-${process.getuid?.() ?? 0}-${hash}`),
    native: apart ? copyBinaries(binaries.native, home, binaries.version) : binaries.native,
    logFile: join(dataDir, 'postgres.log'),
  };
}

export function prepareSocketDirectory({ socketDirectory }: Place, account: Account): void {
  mkdirSync(socketDirectory, { recursive: true, mode: 0o700 });
  // Under the shared temporary folder a stranger might have made it first.
  const found = lstatSync(socketDirectory);
  const ours = [process.getuid?.(), account.uid].includes(found.uid);
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new PlainError(
      `${socketDirectory} should be a private folder for the database's socket, but it is not. Remove it and start again.`,
    );
  }
  giveTo(account, socketDirectory);
}

export function refuseOtherVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === MAJOR_VERSION) return;
  throw new PlainError(
    `${cluster} was made by PostgreSQL ${found}, and this version of Cambist runs ${MAJOR_VERSION}. Dump it with the old version and restore it, as docs/operations.md describes.`,
  );
}
