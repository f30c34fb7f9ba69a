/** Writing a file that only its owner may read, whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

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
