/**
 * A network between the application and PostgreSQL that can be slow, forget
 * connections, refuse new ones and lose the answer to a COMMIT. A connection
 * that lost a byte is dead for good, as TCP's would be, and neither side is
 * notified: the server keeps the other half open.
 */
import { once } from 'node:events';
import net from 'node:net';
import { connectionOptions } from '#platform/db/database-url.ts';

/** `lost`: what is sent on open and on new connections never arrives. */
type Mode = 'passing' | 'lost' | 'refusing';

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  dead: boolean;
}

export interface NetworkProxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** New connections pass; those that lost something stay dead. */
  pass(): void;
  /** Forgets every open connection, and loses what is sent on new ones, until `pass`. */
  lose(): void;
  /** Resets every open connection and each new one, until `pass`. */
  refuse(): void;
  /** In each direction. */
  delay(delayMs: number): void;
  /** The next `count` transactions are committed, and the connection breaks off before their client hears it. */
  cutCommits(count: number): void;
  /** How many commits are still to be cut. */
  commitsToCut(): number;
  stop(): Promise<void>;
}

/** What the server says when it has committed. */
const COMMITTED = Buffer.from('COMMIT\0');

export async function startNetworkProxy(databaseUrl: string): Promise<NetworkProxy> {
  const { path, host, port } = connectionOptions(databaseUrl);
  const links = new Set<Link>();
  let mode: Mode = 'passing';
  let delayMs = 0;
  let toCut = 0;

  /** Passes on what comes from one side, in order, as long as the link lives. */
  function pipe(link: Link, from: net.Socket, to: net.Socket, isCut: (chunk: Buffer) => boolean) {
    let lastAt = 0;
    from.on('data', (chunk: Buffer) => {
      if (mode === 'lost') link.dead = true;
      if (link.dead) return;
      if (isCut(chunk)) return end(link);
      const send = () => void (link.dead || to.destroyed || to.write(chunk));
      lastAt = Math.max(lastAt, performance.now() + delayMs);
      if (delayMs === 0 && lastAt <= performance.now()) send();
      else setTimeout(send, lastAt - performance.now());
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      // The end is a message too.
      if (!link.dead && mode !== 'lost') setTimeout(() => to.end(), delayMs);
    });
  }

  function end(link: Link): void {
    link.dead = true;
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.destroy();
  }

  const proxy = net.createServer((client) => {
    if (mode === 'refusing') {
      client.resetAndDestroy();
      return;
    }
    const server =
      path === undefined ? net.connect(Number(port), String(host)) : net.connect(String(path));
    const link: Link = { client, server, dead: mode === 'lost' };
    links.add(link);
    pipe(link, client, server, () => false);
    pipe(link, server, client, (chunk) => {
      if (toCut === 0 || !chunk.includes(COMMITTED)) return false;
      toCut -= 1;
      return true;
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as net.AddressInfo).port);
  url.searchParams.delete('host');
  url.searchParams.set('sslmode', 'disable');

  return {
    url: url.href,
    pass: () => void (mode = 'passing'),
    lose() {
      mode = 'lost';
      for (const link of links) link.dead = true;
    },
    refuse() {
      mode = 'refusing';
      for (const link of links) end(link);
    },
    delay: (ms) => void (delayMs = ms),
    cutCommits: (count) => void (toCut = count),
    commitsToCut: () => toCut,
    async stop() {
      for (const link of links) end(link);
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
