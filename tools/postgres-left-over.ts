/**
 * What a killed start leaves behind: a server without a parent, backends without
 * a server, or a `postmaster.pid` that names a process id somebody else has now.
 * A server is recognised by its working directory, which is its data directory.
 * The pid file goes only when no such process lives; deleting it under a living
 * one would let two servers write the same data.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './lock.mjs';

const STEPS = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 5000 },
  { signal: 'SIGKILL', patienceMs: 2000 },
] as const;

/** First line and line 8 of `postmaster.pid`; null when there is none. */
export function readPostmaster(cluster: string): { pid: number; status: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number.parseInt(lines[0] ?? '', 10), status: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/** Stops whatever still runs on this cluster and clears a pid file whose id was reused. */
export async function clearLeftOver(
  cluster: string,
  socketDirectory: string,
  log: (line: string) => void,
): Promise<void> {
  let living = serversOf(cluster);
  if (living.length > 0) log('stopping the database server that a killed start left behind');
  for (const { signal, patienceMs } of STEPS) {
    if (living.length === 0) break;
    for (const pid of living) send(pid, signal);
    const end = Date.now() + patienceMs;
    while (living.length > 0 && Date.now() < end) {
      await sleep(50);
      living = serversOf(cluster);
    }
  }
  const postmaster = readPostmaster(cluster);
  if (postmaster === null || living.length > 0 || !isRunning(postmaster.pid)) return;
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  rmSync(join(socketDirectory, '.s.PGSQL.5432.lock'), { force: true });
}

/** The ids of every living process that serves this cluster, the postmaster first. */
function serversOf(cluster: string): number[] {
  const postmaster = readPostmaster(cluster)?.pid;
  if (process.platform !== 'linux') {
    return postmaster !== undefined && isRunning(postmaster) ? [postmaster] : [];
  }
  const directory = realpathSync(cluster);
  return readdirSync('/proc')
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid > 0 && pid !== process.pid && serves(pid, directory) && isRunning(pid))
    .toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster));
}

function serves(pid: number, directory: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return false;
    return /(^|\/)postgres(\0|:)/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return namesDirectory(pid, directory);
  }
}

/** In a container root may not look into another user's process, but its command line is open. */
function namesDirectory(pid: number, directory: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.includes(directory) && /(^|\/)postgres$/.test(words[0] ?? '');
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime, which is what was wanted.
  }
}
