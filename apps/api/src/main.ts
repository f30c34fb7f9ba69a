/**
 * The process: reads the configuration, opens the dependencies, listens, and stops in order. The only file that
 * reads `process.env`. The database must be migrated already.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { findMailProblem } from '#features/email/email.ts';
import { warnOfSoleOperator } from '#features/pairs/second-approver.ts';
import { jobsOf } from '#platform/feature.ts';
import { withSourceLines } from '#platform/source-lines.ts';
import { openScheduler, type Scheduler } from '#platform/jobs/scheduler.ts';
import { buildApp } from './app.ts';
import { ConfigError } from './environment.ts';
import { readConfig } from './config.ts';
import { features } from './features.ts';
import { openDeps } from './open.ts';

/** Time for a load balancer to see that the process is no longer ready. */
const DRAIN_MS = process.env['APP_ENV'] === 'production' ? 2 * SECOND : 0;
/** Requests get this long to finish. */
const FINISH_MS = 25 * SECOND;
/** A stop that hangs is cut off. */
const STOP_MS = 2 * FINISH_MS;
/** The embedded database ends with the killed parent, so queries may never be answered. */
const ORPHAN_STOP_MS = 10 * SECOND;

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
  await Promise.all([deps.databaseClock.sync(), deps.counters.listen()]);
  const lack = await findMailProblem(deps);
  if (lack !== null) {
    await close();
    throw new ConfigError([lack]);
  }
  await warnOfSoleOperator(deps);
  const app = await buildApp(deps, features);
  const scheduler = openScheduler(
    deps,
    features.flatMap((feature) => feature.tasks?.(deps) ?? []),
  );
  // The types do not know `reusePort`, so that it is no literal.
  const listen = { ...config.apiListen, reusePort: config.apiProcesses > 1 };
  // Requests need no workers: a job waits in the database.
  await Promise.all([app.listen(listen), deps.jobs.start(jobsOf(features, deps))]);
  scheduler.start();
  return { app, deps, scheduler, close };
}

/** Not ready, and no new work → no new connections, requests finish → workers → pool. */
async function stop({ app, deps, scheduler, close }: Running): Promise<void> {
  app.health.stopping();
  // At once: calls to other servers take longest to stop.
  const idle = Promise.all([scheduler.stop(), deps.jobs.stop()]);
  // Awaited below; a rejection must not end the process earlier.
  idle.catch(() => undefined);
  await sleep(DRAIN_MS);
  const finished = app.close();
  await Promise.race([finished, sleep(FINISH_MS, undefined, { ref: false })]);
  app.server.closeAllConnections();
  await finished;
  await idle;
  await close();
}

/** A signal during the start stops the process as soon as it has started. */
async function endInOrder(starting: Promise<Running>, why: string): Promise<void> {
  let running: Running;
  try {
    running = await starting;
  } catch {
    // Reported below, with exit code 1.
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

/** Returns whether the process is to stop. */
function stopOnSignals(starting: Promise<Running>): () => boolean {
  let stopping = false;
  const end = (why: string, timeoutMs: number) => {
    if (isWaiting) process.exit(0);
    // A hanging start must not prevent the end.
    setTimeout(() => process.exit(1), timeoutMs).unref();
    if (!stopping) void endInOrder(starting, why);
    stopping = true;
  };
  const onSignal = (why: string) => {
    if (stopping) process.exit(1);
    end(why, STOP_MS);
  };
  // Also while it is stopping already: the database may go in the meantime.
  const left = () => end('disconnect', ORPHAN_STOP_MS);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // The parent process is gone, perhaps killed.
  process.on('disconnect', left);
  // Perhaps while modules were loading; undefined without a parent.
  if (process.connected === false) left();
  return () => stopping;
}

process.on('uncaughtException', (error) => {
  process.stderr.write(`${traceOf(error)}\n`);
  process.exit(1);
});

const starting = start();
const isStopping = stopOnSignals(starting);
try {
  const { deps } = await starting;
  if (!isStopping()) {
    deps.log.info({ listen: deps.config.apiListen }, 'Ready.');
    // The parent may be gone by now, which is handled above.
    process.send?.({ ready: true }, () => {});
  }
} catch (error) {
  const sentence =
    error instanceof ConfigError
      ? error.complaints.join('\n')
      : (portTaken(error) ?? traceOf(error));
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function traceOf(error: unknown): string {
  return error instanceof Error ? withSourceLines(error.stack ?? error.message) : String(error);
}

function portTaken(error: unknown): string | null {
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code !== 'EADDRINUSE') return null;
  return `The port ${port} on ${address} is already in use. Set API_LISTEN to another one.`;
}
