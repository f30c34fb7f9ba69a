/**
 * Notices between processes, by PostgreSQL's LISTEN and NOTIFY: sent in the
 * sender's transaction, heard after its commit, by this process too. One
 * connection carries all channels and is opened anew when it breaks; what was
 * said meanwhile is lost, so a listener that keeps state takes `reconnected`.
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
  /** The payload travels as JSON of at most 8,000 bytes: name what changed, don't send it. */
  notify(tx: Tx, channel: string, payload: Payload): Promise<void>;
  /**
   * Resolves when the channel is being listened to, with the way to stop.
   * `reconnected` is called when notices may have been missed.
   */
  listen(
    channel: string,
    heard: (payload: Payload) => void,
    reconnected?: () => void,
  ): Promise<() => void>;
  close(): Promise<void>;
}

/** Channels are shared by everything in the database, which may be the user's own. */
const PREFIX = 'cambist_';

/** As `Notices.notify`, for whoever tells and does not listen. */
export async function notify(tx: Tx, channel: string, payload: Payload): Promise<void> {
  await query`select pg_notify(${PREFIX + channel}, ${JSON.stringify(payload)})`.execute(tx);
}

interface Listener {
  readonly hear: (payload: Payload) => void;
  readonly reconnected: (() => void) | undefined;
}

/** A listening connection says nothing while all is quiet; only asking shows that it is there. */
const PING_MS = 5 * SECOND;
const MAX_DELAY_MS = 2 * SECOND;

export function openNotices(sql: Sql, log: Pick<FastifyBaseLogger, 'warn' | 'error'>): Notices {
  const channels = new Map<string, Set<Listener>>();
  const connection = openListening(sql, {
    names: () => [...channels.keys()],
    receive(name, text) {
      for (const { hear } of channels.get(name) ?? []) {
        try {
          hear(JSON.parse(text) as Payload);
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

    async listen(channel, hear, reconnected) {
      const name = PREFIX + channel;
      const listener = { hear, reconnected };
      channels.set(name, (channels.get(name) ?? new Set()).add(listener));
      try {
        await connection.ask(listenTo(name));
      } catch (error) {
        remove(name, listener);
        throw error;
      }
      return () => {
        if (!remove(name, listener)) return;
        connection
          .ask(`unlisten "${name}"`)
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
  /** It was lost, and listens again. */
  reopened(): void;
}

/** The one connection that listens: asked from time to time, and replaced when it is lost. */
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
    // One that is not answered in time is lost, by its deadline.
    ping = setInterval(() => client.unsafe('select 1').catch(() => undefined), PING_MS);
    return client;
  }

  function connected(): Promise<DatabaseClient> {
    // What is done on a notice is no part of the request that happened to listen first.
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
    async ask(statement: string): Promise<void> {
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
