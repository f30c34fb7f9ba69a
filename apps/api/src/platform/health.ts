/**
 * Whether the process lives, and whether it is ready for requests: the database
 * answers and is migrated, its clock is ours, and there is room for files. Both answer anyone,
 * without details: those are in the log.
 */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { requireRightClock } from './database-clock.ts';
import type { Deps } from './deps.ts';
import { LEAST_FREE_BYTES } from './files.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
const PATIENCE_MS = 500;
const KEPT_MS = SECOND;

export const HEALTH_PATHS = [
  { method: 'GET', path: '/health/live' },
  { method: 'GET', path: '/health/ready' },
];

export interface Health {
  /** From now on the process is not ready: it is about to stop. */
  stopping(): void;
}

/** Registers the two routes. */
export function openHealth(
  app: FastifyInstance,
  { db, databaseClock, files, log }: Pick<Deps, 'db' | 'databaseClock' | 'files' | 'log'>,
): Health {
  let stopping = false;
  let kept: { at: number; ready: Promise<boolean> } | null = null;

  /** One look a second at most, however many ask. */
  function isReady(): Promise<boolean> {
    const now = performance.now();
    if (kept === null || now - kept.at > KEPT_MS) kept = { at: now, ready: look() };
    return kept.ready;
  }

  async function look(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('The database or the disk did not answer in time.')),
        PATIENCE_MS,
      );
    });
    try {
      const answers = Promise.all([isMigrated(), hasRoom(), hasRightClock()]);
      return (await Promise.race([answers, late])).every(Boolean);
    } catch (error) {
      log.warn({ err: error }, 'Not ready.');
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Newer migrations than ours are fine: they are made so that the version before still works. */
  async function isMigrated(): Promise<boolean> {
    const expected = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = expected.filter((name) => !applied.has(name));
    if (missing.length === 0) return true;
    log.warn({ missing }, 'Not ready: the database is not migrated.');
    return false;
  }

  async function hasRightClock(): Promise<boolean> {
    await requireRightClock(databaseClock);
    return true;
  }

  async function hasRoom(): Promise<boolean> {
    const freeBytes = await files.freeBytes();
    if (freeBytes >= LEAST_FREE_BYTES) return true;
    log.warn(
      { free_bytes: freeBytes, least_free_bytes: LEAST_FREE_BYTES },
      'Not ready: the disk of DATA_DIR is nearly full.',
    );
    return false;
  }

  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const ready = !stopping && (await isReady());
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });

  return {
    stopping() {
      stopping = true;
    },
  };
}
