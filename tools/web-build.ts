/**
 * Builds the frontend when what it is made from has changed. Each build has a folder of its own,
 * named by the hash of its sources, and `current` leads to the last one: a server that runs keeps
 * the files it was started with, so a page that it has answered always finds its script.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runJob } from './child.ts';
import { ROOT } from './configuration.ts';
import { Locked, takeLock, type Lock } from './postgres/lock.ts';
import { PlainError, systemSentence, withPlainErrors } from './plain-error.ts';

const WEB = join(ROOT, 'apps/web');
const SOURCES = 'package-lock.json,apps/web/**,packages/**';
// What the build itself makes, and what it does not read. The message compiler leaves hidden
// files and a README beside its settings.
const NOT_SOURCES =
  /(^|\/)(build|node_modules|paraglide|cache)$|(^|\/)\.(?!well-known)|\.md$|\.test\.ts$/;
const BUILDS = join(WEB, 'build');
const CURRENT = join(BUILDS, 'current');
// A server that runs may still serve one of the earlier builds.
const BUILDS_LEFT = 5;

export function isWebBuilt(): boolean {
  return existsSync(join(CURRENT, 'index.js')) && readlinkSync(CURRENT) === hashSources();
}

/**
 * Builds, or waits for another command that is building.
 * @throws {PlainError} with what the build said when it fails.
 */
export async function buildWeb(signal?: AbortSignal): Promise<void> {
  const lock = await withPlainErrors(BUILDS, () => waitForLock());
  try {
    const name = hashSources();
    const folder = join(BUILDS, name);
    if (!existsSync(folder)) {
      const part = join(BUILDS, 'part');
      rmSync(part, { recursive: true, force: true });
      await runBuild(part, signal);
      renameSync(part, folder);
    }
    // In one step: there is always a build to start from.
    rmSync(`${CURRENT}.next`, { force: true });
    symlinkSync(name, `${CURRENT}.next`, 'dir');
    renameSync(`${CURRENT}.next`, CURRENT);
    removeOldBuilds();
  } finally {
    lock.release();
  }
}

async function waitForLock(): Promise<Lock> {
  mkdirSync(BUILDS, { recursive: true });
  for (;;) {
    try {
      return await takeLock(BUILDS, 'build', 'building the frontend');
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      await sleep(500);
    }
  }
}

function removeOldBuilds(): void {
  const others = readdirSync(BUILDS)
    .filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== basename(readlinkSync(CURRENT)))
    .map((name) => ({ path: join(BUILDS, name), made: statSync(join(BUILDS, name)).mtimeMs }))
    .toSorted((one, other) => other.made - one.made);
  for (const { path } of others.slice(BUILDS_LEFT - 1)) rmSync(path, { recursive: true });
}

async function runBuild(folder: string, signal?: AbortSignal): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { code, lines } = await runJob({
    command: [process.execPath, vite, 'build', '--logLevel', 'warn'],
    cwd: WEB,
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', WEB_BUILD_FOLDER: folder },
    ...(signal === undefined ? {} : { signal }),
  });
  if (code === 0) return;
  const output = lines.join('\n');
  const cause = ['ENOSPC', 'EACCES', 'EROFS'].find((name) => output.includes(name)) ?? '';
  const sentence = systemSentence(Object.assign(new Error(output), { code: cause }), WEB);
  throw new PlainError(sentence ?? `The frontend could not be built:\n${output}`);
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(`{${SOURCES}}`, {
    cwd: ROOT,
    withFileTypes: true,
    exclude: (entry) => NOT_SOURCES.test(entry.name),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of files.toSorted()) {
    hash
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
