/**
 * Whether the process lives, and whether it is ready for requests. Both answer
 * anyone, without details: those are in the log.
 */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from './deps.ts';

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
export function openHealth(app: FastifyInstance, { db, log }: Pick<Deps, 'db' | 'log'>): Health {
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
        () => reject(new Error('The database did not answer in time.')),
        PATIENCE_MS,
      );
    });
    try {
      return await Promise.race([isMigrated(), late]);
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
    return expected.every((name) => applied.has(name));
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
