/** Processes of the smoke test: npm as another user, and everything that lives in a folder. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Person {
  name: string;
  uid: number;
  gid: number;
}

export interface Npm {
  pid: number;
  /** Everything written so far. */
  output(): string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  /** Waits for the text; false when the process ended without it, or after `patienceMs`. */
  said(text: string, patienceMs: number): Promise<boolean>;
}

/** Runs npm as this person with a small environment and the system's own Node. */
export function startNpm(
  words: string[],
  { cwd, env, person }: { cwd: string; env: NodeJS.ProcessEnv; person: Person },
): Npm {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const child = spawn('npm', words, {
    cwd,
    uid: person.uid,
    gid: person.gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // npm run puts the pinned Node first; a stranger's shell does not have it.
      PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
      ...env,
    },
  });
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let gone = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  }).finally(() => (gone = true));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    async said(text, patienceMs) {
      const end = Date.now() + patienceMs;
      while (!gone && !output.includes(text) && Date.now() < end) await sleep(50);
      return output.includes(text);
    },
  };
}

/** The ids of all living processes that work in this folder or were started from it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid > 0 && pid !== process.pid && belongs(pid, folder));
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended in the meantime.
    }
  }
}

function belongs(pid: number, folder: string): boolean {
  const inside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  try {
    if (inside(readlinkSync(`/proc/${pid}/cwd`))) return true;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').some(inside);
  } catch {
    return false;
  }
}
