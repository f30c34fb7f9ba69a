/**
 * The API and the frontend as children: their environments, their logs, and when both count as
 * ready. From then on one that crashes is started again.
 */
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../apps/api/src/config.ts';
import { VARIABLES } from '../apps/api/src/environment.ts';
import { startChild } from './child.ts';
import { ROOT, type Configuration } from './configuration.ts';
import { keepRunning, type Running, type Supervised } from './keep-running.ts';
import { lastLines } from './log-line.ts';
import { PlainError } from './plain-error.ts';
import { localUrl } from './ports.ts';

const READY_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 5000;
// The API lets requests finish for 25 s.
const STOP_STEPS = [
  { signal: 'SIGTERM', timeoutMs: 30_000 },
  { signal: 'SIGKILL', timeoutMs: 2000 },
] as const;
// Names that the web server's adapter would take from a shell that happens to set them.
const ADAPTER_NAMES = /^(SOCKET_PATH|HOST|PORT|LISTEN_PID|LISTEN_FDS|ORIGIN|XFF_DEPTH|.*_HEADER)$/;
/** The script that serves the built frontend. */
export const WEB_SERVER = join(ROOT, 'apps/web/build/current/index.js');

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
  start(): Running;
}

/** Starts both. `onLine` gets each line that they write; `webServer` is the frontend's script. */
export function startServers(
  configuration: Configuration,
  databaseUrl: string,
  onLine: (line: string) => void,
  webServer: string = WEB_SERVER,
): Servers {
  const { config } = configuration;
  const servers = bothServers(configuration, databaseUrl, onLine, webServer);
  const first = servers.map((server) => ({ ...server, first: server.start() }));
  const stopping = new AbortController();
  let kept: Supervised[] = [];

  async function failing(name: string, { ended }: Running): Promise<never> {
    const lines = await ended;
    if (stopping.signal.aborted) return new Promise<never>(() => {});
    throw new PlainError(
      `The ${name} stopped by itself. Its last lines were:\n${lastLines(lines)}`,
    );
  }

  return {
    async ready(signal) {
      const either = AbortSignal.any([signal, stopping.signal]);
      await Promise.race([
        ...first.map((server) => failing(server.name, server.first)),
        Promise.all(servers.map((server) => untilReady(server, either))),
      ]);
      // The API says in its log what it lacks, such as room on the disk, when it is asked.
      await statusOf(`${localUrl(config.apiListen)}/health/ready`);
    },
    keep(say) {
      kept = first.map((server) =>
        keepRunning({ ...server, say, again: () => startAgain(server, stopping.signal, say) }),
      );
      return Promise.race(kept.map(({ failed }) => failed));
    },
    async stop() {
      stopping.abort();
      const all = kept.length > 0 ? kept : first.map((server) => server.first);
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

function bothServers(
  configuration: Configuration,
  databaseUrl: string,
  onLine: (line: string) => void,
  webServer: string,
): Server[] {
  const { config } = configuration;
  const start = (log: string, env: NodeJS.ProcessEnv, ...words: string[]) =>
    startChild({
      command: [process.execPath, ...words],
      env,
      channel: true,
      logFile: join(config.dataDir, 'logs', log),
      onLine,
      stopSteps: STOP_STEPS,
    });
  return [
    {
      name: 'API',
      // Not whether it is ready: what is not ready, on a nearly full disk, can still be read.
      probe: `${localUrl(config.apiListen)}/health/live`,
      start: () =>
        start(
          'api.log',
          apiEnvironment(configuration, databaseUrl),
          join(ROOT, 'apps/api/src/main.ts'),
        ),
    },
    {
      name: 'frontend',
      probe: `${localUrl(config.webListen)}/`,
      start: () =>
        start(
          'web.log',
          webEnvironment(config),
          '--import',
          join(ROOT, 'tools/end-with-parent.mjs'),
          webServer,
        ),
    },
  ];
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

function apiEnvironment({ config, variables }: Configuration, databaseUrl: string) {
  return {
    ...foreign(),
    NODE_ENV: 'production',
    ...variables,
    // What the configuration resolved to, so that the child comes to the same values.
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    APP_URL: config.appUrl,
    FRONTEND_URL: config.frontendUrl,
    // The service never acts as the owner of its tables.
    DATABASE_OWNER_URL: '',
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
  const ours: readonly string[] = [...VARIABLES, 'NODE_CHANNEL_FD'];
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !ours.includes(name) && !ADAPTER_NAMES.test(name),
    ),
  );
}

async function untilReady({ name, probe }: Server, signal: AbortSignal): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  while (!signal.aborted) {
    const status = await statusOf(probe);
    if (status !== null && status >= 200 && status < 300) return;
    if (Date.now() > end) {
      const answer = status === null ? 'no answer' : `status ${status}`;
      throw new PlainError(
        `The ${name} is not ready after ${READY_TIMEOUT_MS / 1000} s (${answer} from ${probe}). Its log is in the folder logs under DATA_DIR.`,
      );
    }
    await sleep(50);
  }
}

/** The status of an answer; null when there is none. By `http`, since `fetch` takes 10 MB of memory. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: PROBE_TIMEOUT_MS, agent: false }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode ?? null));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });
}
