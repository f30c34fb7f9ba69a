/**
 * A long-running child: its output goes to a file and its last lines are kept
 * for when it dies; it is stopped in order, and ends by itself when we are
 * killed. In a group of its own, so that Ctrl-C reaches us and not it: it is we
 * who decide in which order things stop.
 */
import { fork } from 'node:child_process';
import { appendFile, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOG_LIMIT_BYTES = 10_000_000;
const TAIL_BYTES = 6000;

export interface ChildOptions {
  script: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Each line it writes, as it comes. */
  heard?: (line: string) => void;
  nodeArguments?: string[];
}

export interface Child {
  /** Resolves with its last lines, and how it ended, when it has ended. */
  ended: Promise<string[]>;
  /** SIGTERM, and SIGKILL when it has not ended after `patienceMs`. May be called again. */
  stop(patienceMs: number): Promise<void>;
}

export function startChild({
  script,
  env,
  logFile,
  heard,
  nodeArguments = [],
}: ChildOptions): Child {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT_BYTES) truncateSync(logFile);
  const child = fork(script, {
    env,
    execArgv: nodeArguments,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // The channel is there to be broken, not to keep us alive.
  child.channel?.unref();

  let tail = '';
  let line = '';
  const keep = (chunk: Buffer) => {
    const text = chunk.toString();
    tail = (tail + text).slice(-TAIL_BYTES);
    appendFile(logFile, chunk, { mode: 0o600 }, () => {});
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines) heard?.(whole);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);

  const ended = new Promise<string[]>((resolve) => {
    child.once('error', (error) => resolve([error.message]));
    child.once('close', (code, signal) => {
      const lines = tail.split('\n').filter((text) => text.trim() !== '');
      // A process that was killed says nothing itself.
      resolve([
        ...lines,
        signal === null ? `It ended with ${code}.` : `It was ended by ${signal}.`,
      ]);
    });
  });
  let stopping: Promise<void> | undefined;
  const stop = async (patienceMs: number) => {
    child.kill('SIGTERM');
    const patience = new AbortController();
    const late = sleep(patienceMs, true, { signal: patience.signal }).catch(() => false);
    if (await Promise.race([ended.then(() => false), late])) child.kill('SIGKILL');
    patience.abort();
    await ended;
  };
  return { ended, stop: (patienceMs) => (stopping ??= stop(patienceMs)) };
}
