/**
 * Child processes. `startChild` is for what goes on running: it writes its output to a log file
 * and is stopped in order. It runs in a process group of its own, so that Ctrl-C reaches only the
 * launcher, which decides in which order things stop. `runJob` is for what ends by itself.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

/** A file is begun anew each day, and when it is as large as this; so many earlier ones are left. */
const ROTATION = { interval: '1d', size: '10M', maxFiles: 10, mode: 0o600 } as const;
/** What waits for a slow disk; more is lost. */
const MAX_WAITING_BYTES = 50_000_000;
/** After a failed write, as of a full disk, lines are lost for so long. */
const PAUSE_MS = 1000;
const TAIL_BYTES = 8000;

interface Program {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** With a channel, whose end tells a child of Node's that its parent was killed. */
  readonly channel?: boolean;
  /** Each line of output, as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface ChildOptions extends Program {
  readonly logFile: string;
  /** Sent one after the other until it has ended. */
  readonly stopSteps: readonly StopStep[];
}

export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly timeoutMs: number;
}

export interface Child {
  readonly pid: number;
  /** Resolves with its last lines when it has ended. */
  readonly ended: Promise<string[]>;
  /** Resolves with the first message that it sends by its channel. */
  readonly message: Promise<unknown>;
  /** By its channel. */
  send(message: string): void;
  /** May be called again. */
  stop(): Promise<void>;
}

export function startChild({ logFile, stopSteps, ...program }: ChildOptions): Child {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openLog(logFile);
  const child = launch(program, true);
  child.stdout?.on('data', log.write);
  child.stderr?.on('data', log.write);
  const ended = ending(child, program.onLine).then(async ({ lines, code, signal }) => {
    // Nothing is written to the folder after the program has ended.
    await log.end();
    // A process that was killed says nothing itself.
    return [...lines, signal === null ? `It ended with ${code}.` : `It was ended by ${signal}.`];
  });
  let stopping: Promise<void> | undefined;
  return {
    pid: child.pid ?? 0,
    ended,
    message: new Promise((resolve) => child.once('message', resolve)),
    send: (message) => child.send(message, () => {}),
    stop: () => (stopping ??= stop(child, ended, stopSteps)),
  };
}

/** Lines that a full disk swallows do not stop the program; the disk shows elsewhere. */
function openLog(file: string) {
  let stream: RotatingFileStream | null = null;
  let failedAt = -Infinity;
  const open = () =>
    createStream(basename(file), { ...ROTATION, path: dirname(file) }).on('error', () => {
      failedAt = performance.now();
      stream = null;
    });
  return {
    write(chunk: Buffer) {
      if (performance.now() - failedAt < PAUSE_MS) return;
      stream ??= open();
      if (stream.writableLength < MAX_WAITING_BYTES) stream.write(chunk);
    },
    end: () => new Promise<void>((resolve) => (stream === null ? resolve() : stream.end(resolve))),
  };
}

async function stop(child: ChildProcess, ended: Promise<unknown>, steps: readonly StopStep[]) {
  for (const { signal, timeoutMs } of steps) {
    child.kill(signal);
    const done = new AbortController();
    const late = sleep(timeoutMs, true, { signal: done.signal }).catch(() => false);
    const isLate = await Promise.race([ended.then(() => false), late]);
    done.abort();
    if (!isLate) return;
  }
}

export interface Job extends Program {
  readonly signal?: AbortSignal;
  /** What it sends by its channel. */
  readonly onMessage?: (message: unknown) => void;
}

/** Runs a program to its end. `code` is null when it was killed or could not be started. */
export async function runJob(job: Job): Promise<{ code: number | null; lines: string[] }> {
  const child = launch(job, false);
  const kill = () => child.kill('SIGTERM');
  job.signal?.addEventListener('abort', kill);
  if (job.onMessage) child.on('message', job.onMessage);
  const { code, lines } = await ending(child, job.onLine);
  job.signal?.removeEventListener('abort', kill);
  return { code, lines };
}

function launch({ command, env, cwd, channel = false }: Program, detached: boolean): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env,
    detached,
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.channel?.unref();
  return child;
}

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  lines: string[];
}

function ending(child: ChildProcess, onLine?: (line: string) => void): Promise<Ending> {
  let tail = '';
  let line = '';
  const read = (chunk: Buffer) => {
    const text = chunk.toString();
    tail = (tail + text).slice(-TAIL_BYTES);
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines) onLine?.(whole);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, signal: null, lines: [message] }));
    child.once('close', (code, signal) =>
      resolve({ code, signal, lines: tail.split('\n').filter((each) => each.trim() !== '') }),
    );
  });
}
