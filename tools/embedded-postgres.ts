/**
 * Runs PostgreSQL 18 from npm's binaries as a private child: on a Unix socket
 * only, with `fsync` on, never as root, shut down with us, and coming up by
 * itself after a kill -9. `docs/decisions/0002-embedded-postgresql.md` says why
 * it is a launcher of our own.
 */
import { existsSync, realpathSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionOptions, socketUrl } from '../apps/api/src/platform/database-url.ts';
import { Locked, takeLock } from './lock.mjs';
import { PlainError, withPlainErrors } from './plain-error.ts';
import {
  placeFor,
  prepareCluster,
  prepareSocketDirectory,
  refuseOtherVersion,
  type PostgresOptions,
} from './postgres-cluster.ts';
import { clearLeftOver, readPostmaster } from './postgres-left-over.ts';
import { explain, run, type Place, type Program } from './postgres-process.ts';
import { ensureDatabase, readSecrets, type Secrets } from './postgres-secrets.ts';
import { makeFolder } from './private-file.ts';

const RETRY_MS = 30_000;
const START_TIMEOUT_MS = 10 * 60_000;
const STOP_STEPS = [
  { signal: 'SIGINT', patienceMs: 15_000 },
  { signal: 'SIGQUIT', patienceMs: 5000 },
  { signal: 'SIGKILL', patienceMs: 2000 },
] as const;
const LOG_LIMIT_BYTES = 10_000_000;

export interface RunningPostgres {
  /** As the application's role `cambist`, which owns nothing. */
  url: string;
  /** As `cambist_owner`, who owns the database and its tables: for migrations and restores. */
  ownerUrl: string;
  /** As the superuser, on the database `postgres`: for tests. */
  adminUrl: string;
  /** Resolves when the server has ended for whatever reason, with its last lines. */
  ended: Promise<string[]>;
  /** Ends all sessions, writes a checkpoint and stops. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts the server on `dataDir`, making the cluster the first time.
 * @throws {PlainError} when it is in use, the disk is full or the folder may not be written.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir } = options;
  return withPlainErrors(dataDir, async () => {
    makeFolder(dataDir);
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

/** The URLs of the cluster in `dataDir`, whether it runs or not; null before the first start. */
export function embeddedUrls(dataDir: string): Pick<RunningPostgres, 'url' | 'ownerUrl'> | null {
  const secrets = readSecrets(dataDir);
  return secrets === null ? null : roleUrls(placeFor(dataDir, secrets.account), secrets);
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
        await ensureDatabase(connectionOptions(running.adminUrl), secrets);
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
    ...roleUrls(place, secrets),
    adminUrl: socketUrl({ ...address, password: secrets.superuserPassword }),
    ended,
    stop: () => (stopping ??= stop()),
  };
}

function roleUrls({ socketDirectory: directory }: Place, { password, ownerPassword }: Secrets) {
  const database = 'cambist';
  return {
    url: socketUrl({ directory, user: 'cambist', password, database }),
    ownerUrl: socketUrl({ directory, user: 'cambist_owner', password: ownerPassword, database }),
  };
}
