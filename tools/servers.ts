/**
 * The two servers as children: what each is told, where each writes, and when
 * both count as ready.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../apps/api/src/config.ts';
import { VARIABLES } from '../apps/api/src/environment.ts';
import { startChild, type Child } from './child.ts';
import { ROOT, type Configuration } from './configuration.ts';
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
  /** Rejects with a sentence and the last lines when one of the two has ended. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

interface Named {
  name: string;
  child: Child;
  /** Answers with a 2xx status once the server is ready. */
  probe: string;
}

/** Starts both. `heard` gets each line that they write. */
export function startServers(
  { config, variables }: Configuration,
  databaseUrl: string,
  heard: (line: string) => void,
): Servers & { ready(signal: AbortSignal): Promise<void> } {
  const logs = join(config.dataDir, 'logs');
  const servers: Named[] = [
    {
      name: 'API',
      probe: `${localUrl(config.apiListen)}/health/ready`,
      child: startChild({
        script: join(ROOT, 'apps/api/src/main.ts'),
        env: {
          ...foreign(),
          NODE_ENV: 'production',
          ...variables,
          ...resolved(config, databaseUrl),
        },
        logFile: join(logs, 'api.log'),
        heard,
      }),
    },
    {
      name: 'frontend',
      probe: `${localUrl(config.webListen)}/`,
      child: startChild({
        script: WEB_SERVER,
        env: webEnvironment(config),
        logFile: join(logs, 'web.log'),
        heard,
        nodeArguments: ['--import', join(ROOT, 'tools/end-with-parent.mjs')],
      }),
    },
  ];
  let stopping = false;
  const failed = Promise.race(
    servers.map(async ({ name, child }) => {
      const lines = await child.ended;
      if (stopping) return new Promise<never>(() => {});
      throw new PlainError(
        `The ${name} stopped by itself. Its last lines were:\n${lastWords(lines)}`,
      );
    }),
  );
  // It is looked at by whoever waits; until then it is no unhandled failure.
  failed.catch(() => {});
  return {
    failed,
    async ready(signal) {
      await Promise.race([
        failed,
        Promise.all(servers.map((server) => untilReady(server, signal))),
      ]);
    },
    async stop() {
      stopping = true;
      await Promise.all(servers.map(({ child }) => child.stop(STOP_PATIENCE_MS)));
    },
  };
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

async function untilReady({ name, probe }: Named, signal: AbortSignal): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  let last = 'no answer';
  while (!signal.aborted) {
    try {
      const answer = await fetch(probe, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.ok) return;
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
}
