/**
 * Liveness and readiness. A process is ready when the database answers and is migrated, the machine's clock is
 * right, and there is room for files. It is live unless only a restart could help; a database that is down is
 * no such reason. Details are only in the log.
 */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { requireRightClock } from './db/database-clock.ts';
import type { Deps } from './deps.ts';
import { LEAST_FREE_BYTES } from './files/files.ts';
import { runInBackground } from './http/request-context.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
const TIMEOUT_MS = 2.5 * SECOND;
const VALID_MS = SECOND;

export const HEALTH_PATHS = [
  { method: 'GET', path: '/health/live' },
  { method: 'GET', path: '/health/ready' },
];

export interface Health {
  /** The process is about to stop: it is no longer ready. */
  stopping(): void;
}

type ReadyDeps = Pick<Deps, 'db' | 'databaseClock' | 'files' | 'log'>;

export function openHealth(
  app: FastifyInstance,
  deps: ReadyDeps & Pick<Deps, 'connections'>,
): Health {
  let stopping = false;
  let last: { at: number; ready: Promise<boolean> } | null = null;

  /** At most one check a second. */
  function check(): Promise<boolean> {
    const now = performance.now();
    if (last === null || now - last.at > VALID_MS) {
      // In the background: it does not wait behind public requests, and other callers share it.
      last = { at: now, ready: runInBackground(() => isReady(deps)) };
    }
    return last.ready;
  }

  app.get('/health/live', async (_request, reply) => {
    if (!deps.connections.isStuck()) return { status: 'ok' };
    deps.log.error('Not live: connections to the database were taken and never released.');
    return reply.code(503).send({ status: 'stuck' });
  });
  app.get('/health/ready', async (_request, reply) => {
    const ready = !stopping && (await check());
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });

  return {
    stopping() {
      stopping = true;
    },
  };
}

async function isReady(deps: ReadyDeps): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('The database or the disk did not answer in time.')),
      TIMEOUT_MS,
    );
  });
  try {
    const checks = Promise.all([
      isMigrated(deps),
      hasRoom(deps),
      requireRightClock(deps.databaseClock),
    ]);
    const [migrated, room] = await Promise.race([checks, late]);
    return migrated && room;
  } catch (error) {
    deps.log.warn({ err: error }, 'Not ready.');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Newer migrations are fine: the previous version still works with them. */
async function isMigrated({ db, log }: ReadyDeps): Promise<boolean> {
  const expected = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const missing = expected.filter((name) => !applied.has(name));
  if (missing.length === 0) return true;
  log.warn({ missing }, 'Not ready: the database is not migrated.');
  return false;
}

async function hasRoom({ files, log }: ReadyDeps): Promise<boolean> {
  const freeBytes = await files.freeBytes();
  if (freeBytes >= LEAST_FREE_BYTES) return true;
  log.warn(
    { free_bytes: freeBytes, least_free_bytes: LEAST_FREE_BYTES },
    'Not ready: the disk of DATA_DIR is nearly full.',
  );
  return false;
}
