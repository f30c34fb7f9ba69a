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
    throw new PlainError(sentence(name, { host, port }, error), { cause: error });
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

/** How `host:port` is written, with brackets around IPv6. */
function authority({ host, port }: Listen): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where a listening server is reached from this machine: "all addresses" has no address itself. */
export function localUrl({ host, port }: Listen): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${authority({ host: reachable, port })}`;
}

function sentence(name: string, listen: Listen, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const next = authority({ ...listen, port: listen.port < 65_000 ? listen.port + 100 : 8000 });
  switch (code) {
    case 'EADDRINUSE':
      return `The port ${listen.port} on ${listen.host} is already in use by another program. Stop that one, or set another port, such as ${name}=${next}.`;
    case 'EACCES':
      return `The port ${listen.port} may not be listened on by this user. Set ${name} to a port above 1023.`;
    default:
      return `${name}=${authority(listen)} cannot be listened on: ${String(error)}`;
  }
}
