/**
 * The data of a desk after its first start. Made once in a run and copied for
 * each journey: a new cluster and the demo desk would cost every one of them
 * some ten seconds. A journey about the first start itself asks for `fresh`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startPostgres } from '../tools/postgres/server.ts';

const run = promisify(execFile);

/** What a start keeps for good; locks, logs and the cache of its configuration are of that start alone. */
const KEPT = ['database.json', 'postgres', 'public'] as const;

/** Named by the run, which removes it; without a run nothing is kept. */
const folder = process.env['FIRST_DATA'];

/** A journey that was killed makes nothing more. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Sees to it that the run has its first data, if it asks for any: of the journeys that begin
 * at the same time one makes it, and the others wait for it.
 */
export async function madeOnce(make: () => Promise<void>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (folder !== undefined && !existsSync(folder)) {
    const claim = `${folder}-begun`;
    const isOurs = await mkdir(claim).then(
      () => true,
      () => false,
    );
    if (!isOurs && Date.now() < until) {
      await sleep(200);
      continue;
    }
    try {
      return await make();
    } finally {
      await rm(claim, { recursive: true, force: true });
    }
  }
}

/**
 * A cluster for `dataDir` that waits for no disk, and so do its copies: a journey writes
 * hundreds of times, and what a killed process has committed is there without it.
 */
export async function makeCluster(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir, fsync: false });
  await server.stop();
  const settings = join(dataDir, 'postgres', 'postgresql.auto.conf');
  if (existsSync(settings)) await appendFile(settings, 'fsync = off\n');
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
