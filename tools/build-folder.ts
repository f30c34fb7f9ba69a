/**
 * Builds that are made again when what they are made from has changed. Each has a folder of its own,
 * named by the hash of its sources, and `current` leads to the last one: a server that runs keeps
 * the files it was started with, so what it loads later always fits.
 */
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
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './configuration.ts';
import { Locked, takeLock, type Lock } from './postgres/lock.ts';
import { withPlainErrors } from './plain-error.ts';

export interface Build {
  /** As it stands after "Building the". */
  readonly name: string;
  /** Of all its builds. */
  readonly folder: string;
  /** Files and folders below the repository. */
  readonly sources: readonly string[];
  /** Names in these folders that the build does not read, or makes itself. */
  readonly ignored: RegExp;
  /** @throws {PlainError} with what the builder said when it fails. */
  make(folder: string, signal?: AbortSignal): Promise<void>;
}

// A server that runs may still serve one of the earlier builds.
const BUILDS_LEFT = 5;

const currentOf = ({ folder }: Build) => join(folder, 'current');

export function isBuilt(build: Build, name = buildName(build)): boolean {
  const current = currentOf(build);
  return existsSync(current) && readlinkSync(current) === name;
}

/** Builds, or waits for another command that is building. */
export async function makeBuild(build: Build, signal?: AbortSignal): Promise<void> {
  const { folder: builds } = build;
  const current = currentOf(build);
  const lock = await withPlainErrors(builds, () => waitForLock(build));
  try {
    const name = buildName(build);
    const folder = join(builds, name);
    if (!existsSync(folder)) {
      const part = join(builds, 'part');
      rmSync(part, { recursive: true, force: true });
      await build.make(part, signal);
      renameSync(part, folder);
    }
    // In one step: there is always a build to start from.
    rmSync(`${current}.next`, { force: true });
    symlinkSync(name, `${current}.next`, 'dir');
    renameSync(`${current}.next`, current);
    removeOldBuilds(build);
  } finally {
    lock.release();
  }
}

async function waitForLock({ folder, name }: Build): Promise<Lock> {
  mkdirSync(folder, { recursive: true });
  for (;;) {
    try {
      return await takeLock(folder, 'build', `building the ${name}`);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      await sleep(500);
    }
  }
}

function removeOldBuilds(build: Build): void {
  const { folder } = build;
  const last = basename(readlinkSync(currentOf(build)));
  const others = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== last)
    .map((name) => ({ path: join(folder, name), made: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.made - one.made);
  for (const { path } of others.slice(BUILDS_LEFT - 1)) rmSync(path, { recursive: true });
}

/** The hash of its sources as they are now, and of where they are: a build may name files by their place. */
export function buildName({ sources, ignored }: Build): string {
  const hash = createHash('sha256').update(`${process.version}\0${ROOT}\0`);
  const paths = sources.flatMap((source) => filesIn(join(ROOT, source), ignored));
  for (const path of paths.toSorted()) {
    hash
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function filesIn(path: string, ignored: RegExp): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    if (ignored.test(entry.name)) return [];
    return entry.isDirectory() ? filesIn(inside, ignored) : entry.isFile() ? [inside] : [];
  });
}
