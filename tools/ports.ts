/** Addresses to listen on: whether one is free, asked before anything slow is begun, and one that is. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Listen } from '../apps/api/src/environment.ts';
import { PlainError } from './plain-error.ts';

/** @throws {PlainError} naming the variable to change when `listen` cannot be listened on. */
export async function refuseTakenPort(name: string, { host, port }: Listen): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = isTaken
      ? 'is already in use by another program. Stop that one'
      : `cannot be listened on (${String(error)})`;
    throw new PlainError(`The port ${port} on ${host} ${reason}, or set ${name} to another port.`);
  } finally {
    server.close();
  }
}

/** A port of this machine that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

/** Where a listening server is reached from this machine: "all addresses" has no address itself. */
export function localUrl({ host, port }: Listen): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
