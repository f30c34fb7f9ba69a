/**
 * A proxy between the application and PostgreSQL that can be slow, drop connections without notice, refuse new ones and
 * lose the answer to a COMMIT. A connection that lost a byte stays dead; the server keeps its half open.
 */
import { once } from 'node:events';
import net from 'node:net';
import { connectionOptions } from '#platform/db/database-url.ts';

/** `lost`: nothing sent on open or new connections arrives. */
type Mode = 'passing' | 'lost' | 'refusing';

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  dead: boolean;
  /** The server has asked for the first statement. */
  ready: boolean;
}

export interface NetworkProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** New connections work; those that lost data stay dead. */
  pass(): void;
  /** Drops all data of open and new connections, until `pass`. */
  lose(): void;
  /** Resets all open and new connections, until `pass`. */
  refuse(): void;
  /** In each direction. */
  delay(delayMs: number): void;
  /** The next `count` transactions are committed, and their connections break before the answer. */
  cutCommits(count: number): void;
  /** Breaks the next `count` connections at their first statement. */
  cutOpenings(count: number): void;
  /** How many openings are left to cut. */
  openingsToCut(): number;
  /** How many commits are left to cut. */
  commitsToCut(): number;
  stop(): Promise<void>;
}

/** The server's message after a commit. */
const COMMITTED = Buffer.from('COMMIT\0');
/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\u0005I');

export async function startNetworkProxy(databaseUrl: string): Promise<NetworkProxy> {
  const { path, host, port } = connectionOptions(databaseUrl);
  const links = new Set<Link>();
  let mode: Mode = 'passing';
  let delayMs = 0;
  let toCut = 0;
  let openingsToCut = 0;

  /** Forwards the data of one side, in order. */
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
    const link: Link = { client, server, dead: mode === 'lost', ready: false };
    links.add(link);
    pipe(link, client, server, () => {
      if (openingsToCut === 0 || !link.ready) return false;
      openingsToCut -= 1;
      return true;
    });
    pipe(link, server, client, (chunk) => {
      link.ready ||= chunk.includes(READY);
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
    cutOpenings: (count) => void (openingsToCut = count),
    openingsToCut: () => openingsToCut,
    commitsToCut: () => toCut,
    async stop() {
      for (const link of links) end(link);
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
