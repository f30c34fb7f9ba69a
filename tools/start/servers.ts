/**
 * The API and the frontend as children: their environments, their logs, and when both count as
 * ready. From then on one that crashes is started again.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../apps/api/src/config.ts';
import { VARIABLES } from '../../apps/api/src/environment.ts';
import { apiBuild } from '../api-build.ts';
import { startChild, type Child } from '../child.ts';
import { ROOT, type Configuration } from '../configuration.ts';
import { keepRunning } from './keep-running.ts';
import { lastLines } from './log-line.ts';
import { PlainError } from '../plain-error.ts';
import { localUrl } from '../ports.ts';
import { webBuild } from '../web-build.ts';

const READY_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 5000;
// The API lets requests finish for 25 s.
const STOP_STEPS = [
  { signal: 'SIGTERM', timeoutMs: 30_000 },
  { signal: 'SIGKILL', timeoutMs: 2000 },
] as const;
// Names that the web server's adapter would take from a shell that happens to set them.
const ADAPTER_NAMES = /^(SOCKET_PATH|HOST|PORT|LISTEN_PID|LISTEN_FDS|ORIGIN|XFF_DEPTH|.*_HEADER)$/;

export interface ServerOptions {
  readonly configuration: Configuration;
  readonly databaseUrl: string;
  /** When the database is migrated; the API loads its modules in the meantime. */
  readonly prepared: Promise<unknown>;
  /** When both are built. */
  readonly built: Promise<unknown>;
  /** Gets each line that they write. */
  readonly onLine: (line: string) => void;
  readonly say: (line: string) => void;
  /** The scripts of both, as they are built by default. */
  readonly apiServer?: string;
  readonly webServer?: string;
}

export interface Servers {
  /**
   * Resolves when both answer.
   * @throws {PlainError} with its last lines when one ends before: what cannot start is not tried again.
   */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  readonly name: string;
  start(): Child;
  /** Resolves once it serves. */
  answering(child: Child, signal: AbortSignal): Promise<void>;
}

export function startServers(options: ServerOptions): Servers {
  const { say, built } = options;
  const stopping = new AbortController();
  const parts: { stop(): Promise<void> }[] = [];

  /** It is not asked before `prepared`. */
  async function start(server: Server, prepared: Promise<unknown>): Promise<void> {
    await built;
    if (stopping.signal.aborted) return;
    const first = server.start();
    parts.push(first);
    const failure = first.ended.then((lines) => {
      if (stopping.signal.aborted) return;
      throw new PlainError(
        `The ${server.name} stopped by itself. Its last lines were:\n${lastLines(lines)}`,
      );
    });
    failure.catch(() => {});
    const ready = prepared.then(() => untilReady(server, first, stopping.signal));
    await Promise.race([failure, ready]);
    const again = () => startAgain(server, stopping.signal, say);
    if (!stopping.signal.aborted) parts.push(keepRunning({ ...server, first, again, say }));
  }

  const { apiProcesses } = options.configuration.config;
  const numbers = Array.from({ length: apiProcesses }, (_, at) => at + 1);
  const apis = numbers.map((number) => start(apiServer(options, number), options.prepared));
  const api = Promise.all(apis).then(async () => {
    // The API says in its log what it lacks, such as room on the disk, when it is asked.
    await statusOf(`${localUrl(options.configuration.config.apiListen)}/health/ready`);
  });
  // Until the API answers, each page is an error that takes longer to make than the page itself.
  const frontend = start(frontendServer(options), api);
  return {
    ready: Promise.all([api, frontend]).then(() => undefined),
    async stop() {
      stopping.abort();
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** The processes listen on one port, and the system spreads connections over them. */
function apiServer(options: ServerOptions, number: number): Server {
  const { configuration, databaseUrl, prepared, onLine } = options;
  const { config } = configuration;
  const script = options.apiServer ?? join(apiBuild.folder, 'current/main.js');
  return {
    name: config.apiProcesses === 1 ? 'API' : `API process ${number}`,
    start() {
      const api = startChild({
        command: [process.execPath, script, '--wait'],
        env: apiEnvironment(configuration, databaseUrl),
        channel: true,
        logFile: join(config.dataDir, number === 1 ? 'logs/api.log' : `logs/api-${number}.log`),
        onLine,
        stopSteps: STOP_STEPS,
      });
      prepared.then(() => api.send('prepared')).catch(() => {});
      return api;
    },
    answering: async (api) => void (await api.message),
  };
}

function frontendServer({ configuration, onLine, webServer }: ServerOptions): Server {
  const { config } = configuration;
  const script = webServer ?? join(webBuild.folder, 'current/index.js');
  const words = ['--import', join(ROOT, 'tools/start/end-with-parent.mjs')];
  return {
    name: 'frontend',
    answering: (_, signal) => untilAnswer(`${localUrl(config.webListen)}/`, signal),
    start: () =>
      startChild({
        command: [process.execPath, ...words, script],
        env: webEnvironment(config),
        channel: true,
        logFile: join(config.dataDir, 'logs/web.log'),
        onLine,
        stopSteps: STOP_STEPS,
      }),
  };
}

function startAgain(server: Server, stopping: AbortSignal, say: (line: string) => void): Child {
  const next = server.start();
  const over = new AbortController();
  void next.ended.then(() => over.abort());
  const signal = AbortSignal.any([stopping, over.signal]);
  untilReady(server, next, signal).then(
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

/** @throws {PlainError} when it takes too long */
async function untilReady(server: Server, child: Child, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = sleep(READY_TIMEOUT_MS, 'late', { signal: either }).catch(() => 'stopped');
  const outcome = await Promise.race([server.answering(child, either), late]);
  over.abort();
  if (outcome === 'late')
    throw new PlainError(
      `The ${server.name} is not ready after ${READY_TIMEOUT_MS / 1000} s. Its log is in the folder logs under DATA_DIR.`,
    );
}

async function untilAnswer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = (await statusOf(url)) ?? 0;
    if (status >= 200 && status < 300) return;
    await sleep(50);
  }
}

/**
 * The status of an answer; null when there is none. Neither by `fetch` nor by an import of `http`, which loads what
 * `fetch` needs: 0.1 s and 10 MB.
 */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = process
      .getBuiltinModule('node:http')
      .get(url, { timeout: PROBE_TIMEOUT_MS, agent: false }, (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.statusCode ?? null));
      });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });
}
