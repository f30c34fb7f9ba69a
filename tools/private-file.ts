/** Files, folders and sockets that only their owner may use. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PlainError } from './plain-error.ts';

// `sun_path` of a Unix socket holds 108 bytes, 104 on macOS, the last of them zero.
const LONGEST_SOCKET_PATH = 103;

/**
 * Makes a folder and those above it, one by one: where a file system refuses, Node's own
 * recursive way hides the reason (read-only) or never ends (/proc).
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Replaces `path` in one step; a crash leaves the old content or the new, never a half. */
export function writePrivately(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Where the sockets of a data folder belong: `run` in it, or a short path under the temporary folder. */
export function socketFolderOf(folder: string): string {
  const path = join(folder, 'run');
  if (Buffer.byteLength(join(path, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH) return path;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(tmpdir(), `cambist-${process.getuid?.() ?? 0}-${hash}`);
}

/** Makes that folder, private to this user. */
export function socketFolder(folder: string): string {
  const path = socketFolderOf(folder);
  makeFolder(path);
  // Under the shared temporary folder another user might have made it first.
  const found = lstatSync(path);
  const uid = process.getuid?.() ?? 0;
  if (!found.isDirectory() || (uid !== 0 && found.uid !== uid) || (found.mode & 0o077) !== 0) {
    throw new PlainError(
      `${path} should be a private folder for sockets, but it is not. Remove it and start again.`,
    );
  }
  return path;
}
