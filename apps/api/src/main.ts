/**
 * The process: reads the configuration, opens what the application needs,
 * listens, and stops in order when told to. The only file that reads
 * `process.env`. The database must be migrated already.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { openScheduler, type Scheduler } from '#platform/scheduler.ts';
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

async function start(): Promise<Running> {
  const config = readConfig(process.env);
  if (config.databaseUrl === null) throw new ConfigError(['DATABASE_URL is not set.']);
  const { deps, close } = openDeps({ config, databaseUrl: config.databaseUrl });
  const app = await buildApp(deps, features);
  const scheduler = openScheduler(
    deps,
    features.flatMap((feature) => feature.tasks?.(deps) ?? []),
  );
  await deps.jobs.start(
    Object.assign({}, ...features.map((feature) => feature.jobs?.(deps) ?? {})),
  );
  scheduler.start();
  await app.listen({ host: config.apiListen.host, port: config.apiListen.port });
  return { app, deps, scheduler, close };
}

/** Not ready → no new connections, requests finish → workers → pool. */
async function stop({ app, deps, scheduler, close }: Running): Promise<void> {
  app.health.stopping();
  await sleep(DRAIN_MS);
  const finished = app.close();
  await Promise.race([finished, sleep(FINISH_MS, undefined, { ref: false })]);
  app.server.closeAllConnections();
  await finished;
  await Promise.all([scheduler.stop(), deps.jobs.stop()]);
  await close();
}

function stopOnSignals(running: Running): void {
  let stopping = false;
  const heard = (why: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    running.deps.log.info({ why }, 'Stopping.');
    stop(running).then(
      () => process.exit(0),
      (error: unknown) => {
        running.deps.log.error({ err: error }, 'Could not stop in order.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', heard);
  process.on('SIGINT', heard);
  // The starter is gone, killed perhaps: nobody else would end us.
  process.on('disconnect', () => {
    if (!stopping) heard('disconnect');
  });
}

try {
  const running = await start();
  stopOnSignals(running);
  running.deps.log.info({ listen: running.deps.config.apiListen }, 'Ready.');
  process.send?.({ ready: true });
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
