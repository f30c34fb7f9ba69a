/**
 * Builds the frontend when what it is made from has changed. Each build has a
 * folder of its own, named by the hash of its sources, and `current` leads to
 * the last one: a server that runs keeps the files it was started with, so a
 * page that it has answered always finds its script.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './configuration.ts';
import { Locked, takeLock } from './lock.mjs';
import { PlainError, systemSentence, withPlainErrors } from './plain-error.ts';

const WEB = join(ROOT, 'apps/web');
const SOURCES = [
  'package-lock.json',
  'apps/web',
  'packages/contract',
  'packages/html',
  'packages/money',
];
// What the build itself makes.
const MADE = new Set(['build', 'node_modules', 'paraglide', 'cache']);
const BUILDS = join(WEB, 'build');
const CURRENT = join(BUILDS, 'current');
// A server that runs may still serve one of the earlier builds.
const KEPT_BUILDS = 5;

/** The script that serves the built frontend. */
export const WEB_SERVER = join(CURRENT, 'index.js');

export function isWebBuilt(): boolean {
  return existsSync(WEB_SERVER) && basename(readlinkSync(CURRENT)) === hashSources();
}

/**
 * Builds, or waits for another command that is building.
 * @throws {PlainError} with what the build said when it fails.
 */
export async function buildWeb(signal?: AbortSignal): Promise<void> {
  const cache = join(ROOT, '.cache');
  await withPlainErrors(cache, () => mkdirSync(cache, { recursive: true }));
  const lock = await whenFree(join(cache, 'web-build.lock'));
  try {
    if (isWebBuilt()) return;
    const name = hashSources();
    if (!existsSync(join(BUILDS, name))) await makeBuild(name, signal);
    pointTo(name);
    removeOldBuilds();
  } finally {
    lock.release();
  }
}

async function whenFree(path: string): Promise<{ release: () => void }> {
  for (;;) {
    try {
      return takeLock(path, 'building the frontend');
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      await sleep(500);
    }
  }
}

/** A build that was broken off leaves no folder of that name. */
async function makeBuild(name: string, signal?: AbortSignal): Promise<void> {
  const part = join(BUILDS, 'part');
  rmSync(part, { recursive: true, force: true });
  await runBuild(part, signal);
  renameSync(part, join(BUILDS, name));
}

/** In one step: there is always a build to start from. */
function pointTo(name: string): void {
  const next = `${CURRENT}.next`;
  rmSync(next, { force: true });
  symlinkSync(name, next, 'dir');
  renameSync(next, CURRENT);
}

function removeOldBuilds(): void {
  const current = basename(readlinkSync(CURRENT));
  const others = readdirSync(BUILDS)
    .filter((name) => !name.startsWith('current') && name !== current)
    .map((name) => ({ path: join(BUILDS, name), made: statSync(join(BUILDS, name)).mtimeMs }))
    .toSorted((one, other) => other.made - one.made);
  for (const { path } of others.slice(KEPT_BUILDS - 1)) rmSync(path, { recursive: true });
}

async function runBuild(folder: string, signal?: AbortSignal): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: WEB,
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', WEB_BUILD_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-6000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const cause = ['ENOSPC', 'EACCES', 'EROFS'].find((name) => output.includes(name));
  const sentence = cause && systemSentence(Object.assign(new Error(), { code: cause }), WEB);
  throw new PlainError(
    sentence ?? `The frontend could not be built:\n${stripVTControlCharacters(output).trim()}`,
  );
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const path of filesUnder(join(ROOT, source))) {
      hash
        .update(`${relative(ROOT, path)}\0`)
        .update(readFileSync(path))
        .update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function* filesUnder(path: string): Generator<string> {
  if (path.endsWith('.json')) return yield path;
  for (const entry of readdirSync(path, { withFileTypes: true }).toSorted(byName)) {
    // The message compiler leaves hidden files and a README beside its settings.
    if (MADE.has(entry.name) || /^\.(?!well-known)|\.md$|\.test\.ts$/.test(entry.name)) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* filesUnder(inside);
    else if (entry.isFile()) yield inside;
  }
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
