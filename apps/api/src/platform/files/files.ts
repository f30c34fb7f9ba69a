/**
 * Private files under DATA_DIR. A file is written under a temporary name, synced, renamed, and its folder
 * synced, so that after a crash a name has the whole file or does not exist. Names are random, files 0600,
 * folders 0700; no file is served statically.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants, type StatsFs } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  stat,
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { SECOND } from '#kernel/clock.ts';

/** A received file without a final name: `keep` or `discard` it, once. */
export interface Incoming {
  /** Absolute, for libraries that read files. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  /** More than allowed was sent; the file is truncated. */
  readonly tooLarge: boolean;
  /** Gives the file a final name, durably, and returns it; a failure leaves no file. */
  keep(extension: string): Promise<string>;
  /** Never fails: the sweep of the folder deletes leftovers. */
  discard(): Promise<void>;
}

export interface OpenFile {
  readonly sizeBytes: number;
  readonly stream: Readable;
}

export interface Files {
  /**
   * Writes a stream, counting and hashing. Beyond `maxBytes` it reads without writing, so that the sender gets
   * the answer. A broken stream leaves no file.
   */
  receive(folder: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Incoming>;
  /** Writes bytes at once and returns the final name. */
  save(folder: string, bytes: Uint8Array, extension: string): Promise<string>;
  /** Null when there is no such file. */
  open(folder: string, name: string): Promise<OpenFile | null>;
  /** In bytes; null when there is no such file. */
  size(folder: string, name: string): Promise<number | null>;
  /** A file that is already gone is no error. */
  remove(folder: string, name: string): Promise<void>;
  /** All files, also temporary ones left by a crash. */
  list(folder: string): Promise<{ name: string; changedAt: Date }[]>;
  /** Space available to this process; read at most once a second. */
  freeBytes(): Promise<number>;
}

/** Room for a dozen concurrent uploads of 8 MiB each. */
export const LEAST_FREE_BYTES = 100 * 1024 * 1024;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const TEMPORARY = 'part';
const namePattern = /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/;

export function openFiles(dataDir: string): Files {
  const root = resolve(dataDir);
  const folderOf = (folder: string) => made(join(root, folder));

  const receive: Files['receive'] = async (folder, source, maxBytes) => {
    const directory = await folderOf(folder);
    const path = join(directory, newName(TEMPORARY));
    const handle = await open(path, 'wx', FILE_MODE);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const chunk of source) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxBytes) continue;
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
      await handle.close();
    } catch (error) {
      await Promise.allSettled([handle.close(), unlink(path)]);
      throw error;
    }
    return {
      path,
      sizeBytes,
      sha256: hash.digest(),
      tooLarge: sizeBytes > maxBytes,
      keep: (extension) => settle(directory, path, extension),
      discard: async () => {
        await Promise.allSettled([unlink(path)]);
      },
    };
  };
  return {
    receive,
    async save(folder, bytes, extension) {
      const incoming = await receive(folder, oneChunk(bytes), bytes.byteLength);
      return incoming.keep(extension);
    },
    async open(folder, name) {
      // No symbolic links, which could point anywhere.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const handle = await absentAsNull(open(join(root, folder, checked(name)), flags));
      if (!handle) return null;
      return { sizeBytes: (await sizeOf(handle)).size, stream: handle.createReadStream() };
    },
    size: async (folder, name) => sizeAt(join(root, folder, checked(name))),
    async remove(folder, name) {
      await absentAsNull(unlink(join(root, folder, checked(name))));
    },
    async list(folder) {
      const directory = await folderOf(folder);
      const names = (await readdir(directory)).filter((name) => namePattern.test(name));
      const found = await Promise.all(
        names.map(async (name) => {
          const status = await absentAsNull(stat(join(directory, name)));
          return status && { name, changedAt: status.mtime };
        }),
      );
      return found.filter((each) => each !== null);
    },
    freeBytes: openFreeBytes(async () => statfs(await folderOf('.'))),
  };
}

async function made(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  return path;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function openFreeBytes(look: () => Promise<StatsFs>): () => Promise<number> {
  let last: { at: number; freeBytes: Promise<number> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > SECOND) {
      last = { at: now, freeBytes: look().then(({ bavail, bsize }) => bavail * bsize) };
    }
    return last.freeBytes;
  };
}

/** A failure leaves neither name. */
async function settle(directory: string, path: string, extension: string): Promise<string> {
  const name = newName(extension);
  const final = join(directory, name);
  try {
    await rename(path, final);
    // The new name is durable only after its folder is synced.
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await Promise.allSettled([unlink(path), unlink(final)]);
    throw error;
  }
  return name;
}

async function sizeAt(path: string): Promise<number | null> {
  const status = await absentAsNull(lstat(path));
  return status?.isFile() ? status.size : null;
}

async function sizeOf(handle: FileHandle): Promise<{ size: number }> {
  try {
    return await handle.stat();
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function newName(extension: string): string {
  return checked(`${randomBytes(16).toString('hex')}.${extension}`);
}

/** Only generated names: no separators, dot segments or hidden files. */
function checked(name: string): string {
  if (!namePattern.test(name))
    throw new Error('A stored file has a random name with a short extension.');
  return name;
}

async function absentAsNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
