/**
 * Runs PostgreSQL 18 from npm's binaries as a private child: on a Unix socket
 * only, with `fsync` on, never as root, shut down with us, and coming up by
 * itself after a kill -9. `docs/decisions/0002-embedded-postgresql.md` says why
 * it is a launcher of our own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionOptions, socketUrl } from '../apps/api/src/platform/database-url.ts';
import { Locked, takeLock } from './lock.mjs';
import { PlainError, systemSentence, withPlainErrors } from './plain-error.ts';
import { ensureDatabase, readSecrets, writeSecrets, type Secrets } from './postgres-secrets.ts';
import {
  accounts,
  copyBinaries,
  giveTo,
  launchAs,
  reachableHome,
  type Account,
} from './postgres-account.ts';
import { clearLeftOver, readPostmaster } from './postgres-left-over.ts';
import { findBinaries } from './postgres-binaries.ts';

const MAJOR_VERSION = '18';
const RETRY_MS = 30_000;
const START_TIMEOUT_MS = 10 * 60_000;
const STOP_STEPS = [
  { signal: 'SIGINT', patienceMs: 15_000 },
  { signal: 'SIGQUIT', patienceMs: 5000 },
  { signal: 'SIGKILL', patienceMs: 2000 },
] as const;
// `sun_path` of a Unix socket holds 108 bytes, the last of them zero.
const LONGEST_SOCKET_PATH = 107;
const LOG_LIMIT_BYTES = 10_000_000;

export interface PostgresOptions {
  /** Absolute; the cluster goes into `postgres` below it. */
  dataDir: string;
  /** Off only where losing the data is no loss: in tests. */
  fsync?: boolean;
  log: (line: string) => void;
  /** Restricts the ways in which root may run a new cluster, to try each in tests. */
  ways?: readonly Account['way'][];
}

export interface RunningPostgres {
  /** As the ordinary role `cambist`, owner of the database `cambist`. */
  url: string;
  /** As the superuser, on the database `postgres`: for tests, backups and restores. */
  adminUrl: string;
  /** Resolves when the server has ended for whatever reason, with its last lines. */
  ended: Promise<string[]>;
  /** Ends all sessions, writes a checkpoint and stops. May be called again. */
  stop(): Promise<void>;
}

interface Place {
  cluster: string;
  socketDirectory: string;
  native: string;
  logFile: string;
}

/**
 * Starts the server on `dataDir`, making the cluster the first time.
 * @throws {PlainError} when it is in use, the disk is full or the folder may not be written.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir } = options;
  return withPlainErrors(dataDir, async () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = lockData(dataDir);
    try {
      const server = await startLocked(options);
      void server.ended.then(lock.release);
      return server;
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/** The URL of the cluster in `dataDir` as the ordinary role, whether it runs or not; null before the first start. */
export function embeddedUrl(dataDir: string): string | null {
  const secrets = readSecrets(dataDir);
  if (secrets === null) return null;
  return roleUrl(placeFor(dataDir, secrets.account), secrets);
}

function lockData(dataDir: string): { release: () => void } {
  try {
    return takeLock(join(dataDir, 'postgres.lock'), 'the embedded PostgreSQL');
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    const { pid } = error.holder;
    throw new PlainError(
      `Cambist is already running on ${dataDir} (process ${pid}). Stop that one first, or set DATA_DIR to another folder.`,
    );
  }
}

async function startLocked(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, log } = options;
  const secrets = await prepareCluster(options);
  const place = placeFor(dataDir, secrets.account);
  refuseOtherVersion(place.cluster);
  prepareSocketDirectory(place, secrets.account);
  if (existsSync(place.logFile) && statSync(place.logFile).size > LOG_LIMIT_BYTES) {
    truncateSync(place.logFile);
  }

  const until = Date.now() + RETRY_MS;
  for (;;) {
    await clearLeftOver(place.cluster, place.socketDirectory, log);
    const server = launch(place, secrets, options);
    if (await untilReady(place, server, log)) {
      const running = supervise(place, secrets, server);
      try {
        await ensureDatabase(connectionOptions(running.adminUrl), secrets.password);
        return running;
      } catch (error) {
        await running.stop();
        throw error;
      }
    }
    const lines = await server.ended;
    // What a kill -9 leaves needs a moment: the old process is being reaped, or
    // a busy backend still holds the shared memory.
    const passing = /already exists|pre-existing shared memory|is still in use/;
    if (!passing.test(lines.join('\n')) || Date.now() > until) throw explain(lines, dataDir);
    await sleep(250);
  }
}

/** Makes the cluster when there is none. It gets its name last, so a broken start leaves no half one. */
async function prepareCluster({
  dataDir,
  fsync = true,
  log,
  ways,
}: PostgresOptions): Promise<Secrets> {
  const known = readSecrets(dataDir);
  if (known !== null && existsSync(placeFor(dataDir, known.account).cluster)) {
    // Recomputed, because root may now start what an ordinary user made.
    const [account] = accounts(known.account, placeFor(dataDir, known.account).cluster);
    return { ...known, account: account ?? known.account };
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

function placeFor(dataDir: string, account: Account): Place {
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

function prepareSocketDirectory({ socketDirectory }: Place, account: Account): void {
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

function refuseOtherVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === MAJOR_VERSION) return;
  throw new PlainError(
    `${cluster} was made by PostgreSQL ${found}, and this version of Cambist runs ${MAJOR_VERSION}. Dump it with the old version and restore it, as docs/operations.md describes.`,
  );
}

interface Program {
  child: ChildProcess;
  /** The last lines it wrote, when it has ended. */
  ended: Promise<string[]>;
}

function launch(place: Place, { account }: Secrets, { fsync = true }: PostgresOptions): Program {
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_connections=200',
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const words = ['-D', realpathSync(place.cluster), '-k', place.socketDirectory];
  return run(place, account, 'postgres', [...words, ...settings.flatMap((text) => ['-c', text])]);
}

/** Detached, so that Ctrl-C reaches only us and the server is stopped after its clients. */
function run(place: Place, account: Account, name: string, words: string[]): Program {
  const { prefix, uid, gid } = launchAs(account);
  const [program = '', ...rest] = [...prefix, join(place.native, 'bin', name), ...words];
  const child = spawn(program, rest, {
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  });
  let tail = '';
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-8000);
    // Losing a log line must not stop the server; a full disk shows elsewhere.
    if (name === 'postgres') appendFile(place.logFile, chunk, { mode: 0o600 }, () => {});
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<string[]>((resolve) => {
    child.once('error', (error) => resolve([error.message]));
    child.once('close', () => resolve(tail.split('\n').filter((line) => line.trim() !== '')));
  });
  return { child, ended };
}

/** True when it accepts connections, false when it ended instead. */
async function untilReady(place: Place, server: Program, log: (line: string) => void) {
  const started = Date.now();
  let told = 0;
  let gone = false;
  void server.ended.then(() => (gone = true));
  while (!gone) {
    const postmaster = readPostmaster(place.cluster);
    if (
      postmaster !== null &&
      postmaster.pid === server.child.pid &&
      postmaster.status === 'ready'
    ) {
      return true;
    }
    const waitedMs = Date.now() - started;
    if (waitedMs > START_TIMEOUT_MS) server.child.kill('SIGINT');
    if (waitedMs > (told + 1) * 5000) {
      told += 1;
      log(`the database is still recovering (${told * 5} s)`);
    }
    await sleep(10);
  }
  return false;
}

function supervise(place: Place, secrets: Secrets, { child, ended }: Program): RunningPostgres {
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    for (const { signal, patienceMs } of STOP_STEPS) {
      child.kill(signal);
      const patience = new AbortController();
      const late = sleep(patienceMs, true, { signal: patience.signal }).catch(() => false);
      const done = ended.then(() => false);
      const tooLate = await Promise.race([done, late]);
      patience.abort();
      if (!tooLate) return;
    }
  };
  const address = { directory: place.socketDirectory, user: 'postgres', database: 'postgres' };
  return {
    url: roleUrl(place, secrets),
    adminUrl: socketUrl({ ...address, password: secrets.superuserPassword }),
    ended,
    stop: () => (stopping ??= stop()),
  };
}

function roleUrl({ socketDirectory }: Place, { password }: Secrets): string {
  return socketUrl({ directory: socketDirectory, user: 'cambist', password, database: 'cambist' });
}

function explain(lines: readonly string[], dataDir: string): PlainError {
  const text = lines.join('\n');
  const code = /No space left on device|Disk quota exceeded/.test(text)
    ? 'ENOSPC'
    : /Read-only file system/.test(text)
      ? 'EROFS'
      : /Permission denied/.test(text)
        ? 'EACCES'
        : '';
  const sentence = systemSentence(Object.assign(new Error(text), { code }), dataDir);
  const last = lines.slice(-8).join('\n  ');
  return new PlainError(sentence ?? `The database did not start. Its last lines were:\n  ${last}`);
}
