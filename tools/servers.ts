/**
 * The two servers as children: what each is told, where each writes, and when
 * both count as ready. From then on one that crashes is started again.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../apps/api/src/config.ts';
import { VARIABLES } from '../apps/api/src/environment.ts';
import { startChild, type ChildOptions } from './child.ts';
import { ROOT, type Configuration } from './configuration.ts';
import { keepRunning, type Kept, type Running } from './keep-running.ts';
import { lastWords } from './log-line.ts';
import { PlainError } from './plain-error.ts';
import { localUrl } from './ports.ts';
import { WEB_SERVER } from './web-build.ts';

const READY_TIMEOUT_MS = 60_000;
// The API lets requests finish for 25 s; a little more, and nobody waits for them.
const STOP_PATIENCE_MS = 30_000;
// Names that the web server's adapter would take from a shell that happens to set them.
const ADAPTER_NAMES = /^(SOCKET_PATH|HOST|PORT|LISTEN_PID|LISTEN_FDS|ORIGIN|XFF_DEPTH|.*_HEADER)$/;

export interface Servers {
  /**
   * Resolves when both answer.
   * @throws {PlainError} with its last lines when one ends before: what cannot start is not tried again.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** From here on a server that ends is started again. Rejects when one ends too often. */
  keep(say: (line: string) => void): Promise<never>;
  stop(): Promise<void>;
}

interface Server {
  name: string;
  /** Answers with a 2xx status once the server serves. */
  probe: string;
  /** Asked once then: a server that serves may still lack something, and says in its log what. */
  complaints?: string;
  start(): Running;
}

/** Starts both. `heard` gets each line that they write; `webServer` is the frontend's script. */
export function startServers(
  configuration: Configuration,
  databaseUrl: string,
  heard: (line: string) => void,
  webServer: string = WEB_SERVER,
): Servers {
  const servers = bothServers(configuration, databaseUrl, heard, webServer).map((server) => ({
    ...server,
    first: server.start(),
  }));
  let kept: Kept[] = [];
  const stopping = new AbortController();

  async function failing({ name, first }: (typeof servers)[number]): Promise<never> {
    const lines = await first.ended;
    if (stopping.signal.aborted) return new Promise<never>(() => {});
    throw new PlainError(
      `The ${name} stopped by itself. Its last lines were:\n${lastWords(lines)}`,
    );
  }

  return {
    async ready(signal) {
      const either = AbortSignal.any([signal, stopping.signal]);
      await Promise.race([
        ...servers.map(failing),
        Promise.all(servers.map((server) => untilReady(server, either))),
      ]);
    },
    keep(say) {
      kept = servers.map((server) =>
        keepRunning({
          name: server.name,
          first: server.first,
          again: () => startAgain(server, stopping.signal, say),
          say,
        }),
      );
      return Promise.race(kept.map(({ failed }) => failed));
    },
    async stop() {
      stopping.abort();
      const all = kept.length > 0 ? kept : servers.map(({ first }) => first);
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

function bothServers(
  { config, variables }: Configuration,
  databaseUrl: string,
  heard: (line: string) => void,
  webServer: string,
): Server[] {
  const logs = join(config.dataDir, 'logs');
  const api = {
    ...foreign(),
    NODE_ENV: 'production',
    ...variables,
    ...resolved(config, databaseUrl),
    // The service never acts as the owner of its tables.
    DATABASE_OWNER_URL: '',
  };
  return [
    {
      name: 'API',
      // Not whether it is ready: a nearly full disk is for a balancer to hear of, and no reason to
      // stop what can be read.
      probe: `${localUrl(config.apiListen)}/health/live`,
      complaints: `${localUrl(config.apiListen)}/health/ready`,
      start: () =>
        running({
          script: join(ROOT, 'apps/api/src/main.ts'),
          env: api,
          logFile: join(logs, 'api.log'),
          heard,
        }),
    },
    {
      name: 'frontend',
      probe: `${localUrl(config.webListen)}/`,
      start: () =>
        running({
          script: webServer,
          env: webEnvironment(config),
          logFile: join(logs, 'web.log'),
          heard,
          nodeArguments: ['--import', join(ROOT, 'tools/end-with-parent.mjs')],
        }),
    },
  ];
}

function running(options: ChildOptions): Running {
  const child = startChild(options);
  return { ended: child.ended, stop: () => child.stop(STOP_PATIENCE_MS) };
}

function startAgain(server: Server, stopping: AbortSignal, say: (line: string) => void): Running {
  const next = server.start();
  const over = new AbortController();
  void next.ended.then(() => over.abort());
  const signal = AbortSignal.any([stopping, over.signal]);
  untilReady(server, signal).then(
    () => signal.aborted || say(`The ${server.name} answers again.`),
    (error: unknown) => say(error instanceof Error ? error.message : String(error)),
  );
  return next;
}

/** What the configuration resolved to, so that the child comes to the same values. */
function resolved(config: Config, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    APP_URL: config.appUrl,
    FRONTEND_URL: config.frontendUrl,
  };
}

/** The frontend gets none of our variables: it has no use for a key or a password. */
function webEnvironment(config: Config): NodeJS.ProcessEnv {
  return {
    ...foreign(),
    NODE_ENV: 'production',
    HOST: config.webListen.host,
    PORT: String(config.webListen.port),
    ORIGIN: config.frontendUrl,
    API_URL: config.appUrl,
    API_INTERNAL_URL: localUrl(config.apiListen),
    SHUTDOWN_TIMEOUT: '10',
  };
}

/** The process environment without what is ours to set. */
function foreign(): NodeJS.ProcessEnv {
  const ours: readonly string[] = VARIABLES;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !ours.includes(name) && !ADAPTER_NAMES.test(name) && name !== 'NODE_CHANNEL_FD',
    ),
  );
}

async function untilReady(
  { name, probe, complaints }: Pick<Server, 'name' | 'probe' | 'complaints'>,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  let last = 'no answer';
  while (!signal.aborted) {
    try {
      const answer = await fetch(probe, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.ok) break;
      last = `status ${answer.status}`;
    } catch {
      // It does not listen yet.
    }
    if (Date.now() > end) {
      throw new PlainError(
        `The ${name} is not ready after ${READY_TIMEOUT_MS / 1000} s (${last} from ${probe}). Its log is in the folder logs under DATA_DIR.`,
      );
    }
    await sleep(100);
  }
  if (complaints === undefined || signal.aborted) return;
  await fetch(complaints, { signal: AbortSignal.timeout(5000) }).catch(() => {});
}
