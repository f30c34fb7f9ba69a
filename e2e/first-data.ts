/**
 * The data of a desk after its first start. Made once in a run and copied for
 * each journey: a new cluster and the demo desk would cost every one of them
 * some ten seconds. A journey about the first start itself asks for `fresh`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a start keeps for good; locks, logs and the cache of its configuration are of that start alone. */
const KEPT = ['database.json', 'postgres', 'public'] as const;

/** Named by the run, which removes it; without a run nothing is kept. */
const folder = process.env['FIRST_DATA'];

/** Whether the run asks for it, and nobody has made it yet. */
export function wantsFirstData(): boolean {
  return folder !== undefined && !existsSync(folder);
}

/** Keeps what the stopped desk in `dataDir` has, and what it said. */
export async function keepFirstData(dataDir: string, said: string): Promise<void> {
  // Some accounts of root's keep the cluster elsewhere.
  if (folder === undefined || !existsSync(join(dataDir, 'postgres'))) return;
  const making = `${folder}-${process.pid}`;
  await copyKept(dataDir, making);
  await writeFile(join(making, 'said.txt'), said);
  try {
    await rename(making, folder);
  } catch (error) {
    // Another journey that began at the same time has made it.
    if (!existsSync(folder)) throw error;
    await rm(making, { recursive: true, force: true });
  }
}

/** Fills `dataDir`; answers what the first desk said, nothing when nothing was kept. */
export async function copyFirstData(dataDir: string): Promise<string> {
  if (folder === undefined || !existsSync(folder)) return '';
  await copyKept(folder, dataDir);
  return readFile(join(folder, 'said.txt'), 'utf8');
}

/** By `cp`, since PostgreSQL asks who owns its files. */
async function copyKept(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await run('cp', ['-a', ...KEPT.map((name) => join(from, name)), to]);
}
