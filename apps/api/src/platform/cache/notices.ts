/**
 * Notices between processes, by PostgreSQL's LISTEN and NOTIFY: sent in a transaction, received after its
 * commit, also by the sending process. One connection carries all channels and is replaced when it breaks;
 * notices sent meanwhile are lost, so a listener with state needs `reconnected`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as query } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { openClient, type DatabaseClient } from '#platform/db/database-client.ts';
import type { Sql, Tx } from '#platform/db/database.ts';
import { runInBackground } from '#platform/http/request-context.ts';

type Payload = Record<string, unknown>;

export interface Notices {
  /** The payload is JSON of at most 8,000 bytes: name what changed, don't send it. */
  notify(tx: Tx, channel: string, payload: Payload): Promise<void>;
  /** Resolves when listening, with a function to stop. `reconnected` is called when notices may be lost. */
  listen(
    channel: string,
    receive: (payload: Payload) => void,
    reconnected?: () => void,
  ): Promise<() => void>;
  close(): Promise<void>;
}

/** Other applications may use channels of the same database. */
const PREFIX = 'cambist_';

/** As `Notices.notify`, for code that does not listen. */
export async function notify(tx: Tx, channel: string, payload: Payload): Promise<void> {
  await query`select pg_notify(${PREFIX + channel}, ${JSON.stringify(payload)})`.execute(tx);
}

interface Listener {
  readonly receive: (payload: Payload) => void;
  readonly reconnected: (() => void) | undefined;
}

/** Only a query shows that a listening connection is still alive. */
const PING_MS = 5 * SECOND;
const MAX_DELAY_MS = 2 * SECOND;

export function openNotices(sql: Sql, log: Pick<FastifyBaseLogger, 'warn' | 'error'>): Notices {
  const channels = new Map<string, Set<Listener>>();
  const connection = openListening(sql, {
    names: () => [...channels.keys()],
    receive(name, text) {
      for (const listener of channels.get(name) ?? []) {
        try {
          listener.receive(JSON.parse(text) as Payload);
        } catch (error) {
          log.error({ err: error, channel: name }, 'A notice could not be handled.');
        }
      }
    },
    reopened() {
      log.warn('Listening again after the connection was lost.');
      for (const { reconnected } of [...channels.values()].flatMap((each) => [...each]))
        reconnected?.();
    },
  });

  function remove(name: string, listener: Listener): boolean {
    const listeners = channels.get(name);
    listeners?.delete(listener);
    return listeners?.size === 0 && channels.delete(name);
  }

  return {
    notify,

    async listen(channel, receive, reconnected) {
      const name = PREFIX + channel;
      const listener = { receive, reconnected };
      channels.set(name, (channels.get(name) ?? new Set()).add(listener));
      try {
        await connection.run(listenTo(name));
      } catch (error) {
        remove(name, listener);
        throw error;
      }
      return () => {
        if (!remove(name, listener)) return;
        connection
          .run(`unlisten "${name}"`)
          .catch((error: unknown) => log.warn({ err: error, channel }, 'Could not unlisten.'));
      };
    },

    close: connection.close,
  };
}

interface Listening {
  /** The channels to listen to when the connection is opened. */
  names(): readonly string[];
  receive(name: string, text: string): void;
  /** The connection was lost, and listens again. */
  reopened(): void;
}

/** The one connection that listens: pinged, and replaced when it is lost. */
function openListening(sql: Sql, { names, receive, reopened }: Listening) {
  let current: Promise<DatabaseClient> | null = null;
  let closed = false;

  async function open(): Promise<DatabaseClient> {
    let ping: NodeJS.Timeout | null = null;
    const client = openClient(sql, {
      onNotice: receive,
      onLost() {
        client.destroy();
        if (ping === null) return;
        clearInterval(ping);
        if (closed) return;
        current = null;
        void runInBackground(reopen);
      },
    });
    try {
      await client.unsafe('select 1');
      for (const name of names()) await client.unsafe(listenTo(name));
    } catch (error) {
      client.destroy();
      throw error;
    }
    // An unanswered ping makes the connection lost, by its deadline.
    ping = setInterval(() => client.unsafe('select 1').catch(() => undefined), PING_MS);
    return client;
  }

  function connected(): Promise<DatabaseClient> {
    // Handling notices is not part of the request that happened to listen first.
    current ??= runInBackground(open).catch((error: unknown) => {
      current = null;
      throw error;
    });
    return current;
  }

  async function reopen(): Promise<void> {
    for (let delayMs = 50; !closed; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { ref: false });
      try {
        if (closed) return;
        await connected();
      } catch {
        continue;
      }
      reopened();
      return;
    }
  }

  return {
    async run(statement: string): Promise<void> {
      if (closed) return;
      const client = await connected();
      await client.unsafe(statement);
    },

    async close(): Promise<void> {
      closed = true;
      const client = await current?.catch(() => null);
      await client?.end(1);
    },
  };
}

const listenTo = (name: string) => `listen "${name}"`;
