/**
 * The process: reads the configuration, opens what the application needs,
 * listens, and stops in order when told to. The only file that reads
 * `process.env`. The database must be migrated already.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { findMailProblem } from '#features/email/email.ts';
import { jobsOf } from '#platform/feature.ts';
import { openScheduler, type Scheduler } from '#platform/jobs/scheduler.ts';
import { buildApp } from './app.ts';
import { ConfigError } from './environment.ts';
import { readConfig } from './config.ts';
import { features } from './features.ts';
import { openDeps } from './open.ts';

/** Time for a balancer to see that we are no longer ready, before we stop accepting. */
const DRAIN_MS = process.env['APP_ENV'] === 'production' ? 2 * SECOND : 0;
/** Requests get this long to finish. */
const FINISH_MS = 25 * SECOND;

interface Running {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly scheduler: Scheduler;
  close(): Promise<void>;
}

/** With `--wait` the launcher sends a message once it has migrated the database. */
let isWaiting = process.argv.includes('--wait');

async function start(): Promise<Running> {
  if (isWaiting) await once(process, 'message');
  isWaiting = false;
  const config = readConfig(process.env);
  if (config.databaseUrl === null) throw new ConfigError(['DATABASE_URL is not set.']);
  const { deps, close } = openDeps({ config, databaseUrl: config.databaseUrl });
  await deps.databaseClock.sync();
  const lack = await findMailProblem(deps);
  if (lack !== null) {
    await close();
    throw new ConfigError([lack]);
  }
  const app = await buildApp(deps, features);
  const scheduler = openScheduler(
    deps,
    features.flatMap((feature) => feature.tasks?.(deps) ?? []),
  );
  await deps.jobs.start(jobsOf(features, deps));
  scheduler.start();
  await app.listen({ host: config.apiListen.host, port: config.apiListen.port });
  return { app, deps, scheduler, close };
}

/** Not ready, and no new work → no new connections, requests finish → workers → pool. */
async function stop({ app, deps, scheduler, close }: Running): Promise<void> {
  app.health.stopping();
  // At once: what waits for another's server would otherwise begin to end when all else has ended.
  const idle = Promise.all([scheduler.stop(), deps.jobs.stop()]);
  // Waited for below; a rejection must not end the process before.
  idle.catch(() => undefined);
  await sleep(DRAIN_MS);
  const finished = app.close();
  await Promise.race([finished, sleep(FINISH_MS, undefined, { ref: false })]);
  app.server.closeAllConnections();
  await finished;
  await idle;
  await close();
}

/** Whoever is told to stop while starting serves nobody yet, and stops as soon as it has started. */
async function endInOrder(starting: Promise<Running>, why: string): Promise<void> {
  let running: Running;
  try {
    running = await starting;
  } catch {
    // Told below, with exit code 1.
    return;
  }
  const { log } = running.deps;
  log.info({ why }, 'Stopping.');
  try {
    await stop(running);
  } catch (error) {
    log.error({ err: error }, 'Could not stop in order.');
    process.exit(1);
  }
  process.exit(0);
}

/** Answers whether we were told to stop. */
function stopOnSignals(starting: Promise<Running>): () => boolean {
  let stopping = false;
  const heard = (why: string) => {
    if (stopping) process.exit(1);
    if (isWaiting) process.exit(0);
    stopping = true;
    // A start that hangs must not keep what was told to end.
    setTimeout(() => process.exit(1), 2 * FINISH_MS).unref();
    void endInOrder(starting, why);
  };
  const left = () => {
    if (!stopping) heard('disconnect');
  };
  process.on('SIGTERM', heard);
  process.on('SIGINT', heard);
  // The starter is gone, killed perhaps: nobody else would end us.
  process.on('disconnect', left);
  // Perhaps while our modules were read; without a starter this is undefined.
  if (process.connected === false) left();
  return () => stopping;
}

const starting = start();
const isStopping = stopOnSignals(starting);
try {
  const { deps } = await starting;
  if (!isStopping()) {
    deps.log.info({ listen: deps.config.apiListen }, 'Ready.');
    // The starter may be gone before it hears it; that it left is heard above.
    process.send?.({ ready: true }, () => {});
  }
} catch (error) {
  const sentence =
    error instanceof ConfigError
      ? error.complaints.join('\n')
      : (portTaken(error) ??
        (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function portTaken(error: unknown): string | null {
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code !== 'EADDRINUSE') return null;
  return `The port ${port} on ${address} is already in use. Set API_LISTEN to another one.`;
}
