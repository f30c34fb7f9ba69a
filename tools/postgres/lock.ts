/**
 * A lock on a folder, held by listening on a Unix socket in it. The kernel closes the socket with
 * its process, so a holder that was killed never locks anyone out, and a connection tells who
 * holds it.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { socketFolder } from '../private-file.ts';

export interface Lock {
  release(): void;
}

/** Another process holds the lock. The message is what it said of itself. */
export class Locked extends Error {
  override name = 'Locked';
}

const ANSWER_TIMEOUT_MS = 2000;

/**
 * Takes the lock called `name` on the folder. `holder` describes this process to others.
 * @throws {Locked}
 */
export async function takeLock(folder: string, name: string, holder: string): Promise<Lock> {
  const path = join(socketFolder(folder), `${name}.lock`);
  for (;;) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(`${holder} (process ${process.pid})`);
    });
    try {
      await once(server.listen(path), 'listening');
      server.unref();
      return { release: () => server.close() };
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
    const found = await askHolder(path);
    if (found !== null) throw new Locked(found);
    rmSync(path, { force: true });
  }
}

/** What the holder says of itself; null when the socket has no process any more. */
async function askHolder(path: string): Promise<string | null> {
  const socket = connect(path);
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.end());
  try {
    return (await text(socket)) || 'another process';
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes(codeOf(error))) return null;
    throw error;
  } finally {
    socket.destroy();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
