/**
 * Whether the process lives, and whether it is ready for requests: the database
 * answers and is migrated, the machine's clock is right, and there is room for files.
 * A process lives unless only a new one could serve again; a database that is away is
 * no such reason. Both answer anyone, without details: those are in the log.
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
/** A database far away, or a new connection to it, takes a second or two. */
const TIMEOUT_MS = 2.5 * SECOND;
const VALID_MS = SECOND;

export const HEALTH_PATHS = [
  { method: 'GET', path: '/health/live' },
  { method: 'GET', path: '/health/ready' },
];

export interface Health {
  /** From now on the process is not ready: it is about to stop. */
  stopping(): void;
}

type ReadyDeps = Pick<Deps, 'db' | 'databaseClock' | 'files' | 'log'>;

/** Registers the two routes. */
export function openHealth(
  app: FastifyInstance,
  deps: ReadyDeps & Pick<Deps, 'connections'>,
): Health {
  let stopping = false;
  let last: { at: number; ready: Promise<boolean> } | null = null;

  /** One look a second at most, however many ask. */
  function look(): Promise<boolean> {
    const now = performance.now();
    if (last === null || now - last.at > VALID_MS) {
      // Not a request's work: it does not wait behind the public, and the next who asks shares it.
      last = { at: now, ready: runInBackground(() => isReady(deps)) };
    }
    return last.ready;
  }

  app.get('/health/live', async (_request, reply) => {
    if (!deps.connections.isStuck()) return { status: 'ok' };
    deps.log.error('Not live: connections to the database were taken and are not given back.');
    return reply.code(503).send({ status: 'stuck' });
  });
  app.get('/health/ready', async (_request, reply) => {
    const ready = !stopping && (await look());
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

/** Newer migrations than ours are fine: they are made so that the version before still works. */
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
