/**
 * Runs PostgreSQL 18 from npm's binaries as a private child: on a Unix socket only, with `fsync`
 * on, never as root, stopped with us, and recovering by itself after a kill -9.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketUrl } from '../../apps/api/src/platform/db/database-url.ts';
import { startChild, type Child } from '../child.ts';
import { Locked, takeLock, type Lock } from './lock.ts';
import { PlainError, withPlainErrors } from '../plain-error.ts';
import {
  commandFor,
  POSTGRES_ENV,
  prepareCluster,
  readSecrets,
  startFailure,
  type Secrets,
} from './cluster.ts';
import { makeFolder, socketFolder, socketFolderOf } from '../private-file.ts';

const RETRY_MS = 30_000;
const STOP_STEPS = [
  { signal: 'SIGINT', timeoutMs: 15_000 },
  { signal: 'SIGQUIT', timeoutMs: 5000 },
  { signal: 'SIGKILL', timeoutMs: 2000 },
] as const;

export interface PostgresOptions {
  /** Absolute; the cluster goes into `postgres` below it. */
  readonly dataDir: string;
  /** Off only where losing the data is no loss: in tests. */
  readonly fsync?: boolean;
}

export interface RunningPostgres {
  /** As the application's role `cambist`, which owns nothing. */
  readonly url: string;
  /** As `cambist_owner`, which owns the database and its tables: for migrations and restores. */
  readonly ownerUrl: string;
  /** As the superuser, on the database `postgres`: for tests. */
  readonly adminUrl: string;
  /** Resolves when the server has ended for whatever reason, with its last lines. */
  readonly ended: Promise<string[]>;
  /** Ends all sessions, writes a checkpoint and stops. May be called again. */
  stop(): Promise<void>;
}

/**
 * Takes the data folder for this process. `holder` describes it to others.
 * @throws {PlainError} when another process has it, or where it cannot be made.
 */
export async function lockData(dataDir: string, holder: string): Promise<Lock> {
  return withPlainErrors(dataDir, async () => {
    makeFolder(dataDir);
    try {
      return await takeLock(dataDir, 'cambist', holder);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      throw new PlainError(
        `Cambist is already running with the data in ${dataDir}: ${error.message}. Stop that one first, or set DATA_DIR, API_LISTEN and WEB_LISTEN for a second one.`,
      );
    }
  });
}

/**
 * Locks `dataDir` and starts the server on it, making the cluster the first time.
 * @throws {PlainError} when it is in use, the disk is full or the folder may not be written.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const lock = await lockData(options.dataDir, 'its database');
  try {
    const server = await startOnLocked(options);
    void server.ended.then(lock.release);
    return server;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The same on a folder that this process has locked already. */
export async function startOnLocked(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, fsync = true } = options;
  return withPlainErrors(dataDir, async () => {
    const secrets = prepareCluster(dataDir, fsync);
    const cluster = realpathSync(join(dataDir, 'postgres'));
    const until = Date.now() + RETRY_MS;
    for (;;) {
      await endLeftOver(cluster);
      const server = launch(dataDir, cluster, fsync);
      const lines = await readyOrEnded(cluster, server);
      if (lines === null) return withUrls(dataDir, secrets, server);
      // What a kill -9 leaves needs a moment: a backend still holds the shared memory.
      const passing = /already exists|pre-existing shared memory|is still in use/;
      const output = lines.join('\n');
      if (!passing.test(output) || Date.now() > until) throw startFailure(output, dataDir);
      await sleep(250);
    }
  });
}

/** The URLs of the cluster in `dataDir`, whether it runs or not; null before the first start. */
export function embeddedUrls(dataDir: string): Pick<RunningPostgres, 'url' | 'ownerUrl'> | null {
  const secrets = readSecrets(dataDir);
  return secrets === null ? null : roleUrls(dataDir, secrets);
}

function launch(dataDir: string, cluster: string, fsync: boolean): Child {
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_connections=200',
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  return startChild({
    command: [
      ...commandFor(cluster, 'postgres'),
      '-D',
      cluster,
      '-k',
      socketFolder(dataDir),
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    env: POSTGRES_ENV,
    cwd: '/',
    logFile: join(dataDir, 'postgres.log'),
    stopSteps: STOP_STEPS,
  });
}

/** First line and line 8 of `postmaster.pid`; null when there is none. */
export function readPostmaster(cluster: string): { pid: number; status: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number.parseInt(lines[0] ?? '', 10), status: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/**
 * Stops the server that a killed start has left on this cluster. A `postmaster.pid` whose id
 * belongs to another program now would keep PostgreSQL from starting, so it goes; that of a
 * process that is gone stays, since PostgreSQL finds the last backends of it by this file.
 */
async function endLeftOver(cluster: string): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  const command = pid > 0 ? commandOf(pid) : '';
  if (command === '') return;
  if (!command.includes(cluster)) return rmSync(join(cluster, 'postmaster.pid'), { force: true });
  for (const { signal, timeoutMs } of STOP_STEPS) {
    const end = Date.now() + timeoutMs;
    try {
      process.kill(pid, signal);
      while (Date.now() < end && commandOf(pid).includes(cluster)) await sleep(20);
    } catch {
      // It has ended in the meantime.
      return;
    }
  }
}

/** The command line of a process; empty when there is no such process, or only what is left of it. */
function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Null when it accepts connections, its last lines when it ended instead. */
async function readyOrEnded(cluster: string, server: Child): Promise<string[] | null> {
  let last: string[] | null = null;
  void server.ended.then((lines) => (last = lines));
  for (; last === null; await sleep(10)) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === server.pid && postmaster.status === 'ready') break;
  }
  return last;
}

function withUrls(dataDir: string, secrets: Secrets, { ended, stop }: Child): RunningPostgres {
  const directory = socketFolderOf(dataDir);
  const admin = { user: 'postgres', password: secrets.superuserPassword, database: 'postgres' };
  const adminUrl = socketUrl({ directory, ...admin });
  return { ...roleUrls(dataDir, secrets), adminUrl, ended, stop };
}

function roleUrls(dataDir: string, { password, ownerPassword }: Secrets) {
  const at = { directory: socketFolderOf(dataDir), database: 'cambist' };
  return {
    url: socketUrl({ ...at, user: 'cambist', password }),
    ownerUrl: socketUrl({ ...at, user: 'cambist_owner', password: ownerPassword }),
  };
}
