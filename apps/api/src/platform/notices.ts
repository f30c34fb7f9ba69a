/**
 * Notices between processes, by PostgreSQL's LISTEN and NOTIFY: sent in the
 * sender's transaction, heard after its commit, by this process too. One
 * connection carries all channels and is opened anew when it breaks; what was
 * said meanwhile is lost, so a listener that keeps state takes `reconnected`.
 */
import { sql as query } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Sql, Tx } from './database.ts';

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

export function openNotices(sql: Sql, log: Pick<FastifyBaseLogger, 'warn' | 'error'>): Notices {
  const stops = new Set<() => Promise<void>>();

  return {
    notify,

    async listen(channel, heard, reconnected) {
      let connections = 0;
      let stopped = false;
      const { unlisten } = await sql.listen(
        PREFIX + channel,
        (text) => {
          // After a reconnection the driver no longer knows whom to take off its list.
          if (stopped) return;
          try {
            heard(JSON.parse(text) as Payload);
          } catch (error) {
            log.error({ err: error, channel }, 'A notice could not be handled.');
          }
        },
        () => {
          connections += 1;
          if (connections === 1 || stopped) return;
          log.warn({ channel }, 'Listening again after the connection was lost.');
          reconnected?.();
        },
      );
      stops.add(unlisten);
      return () => {
        stopped = true;
        stops.delete(unlisten);
        unlisten().catch((error: unknown) =>
          log.warn({ err: error, channel }, 'Could not unlisten.'),
        );
      };
    },

    async close() {
      const closing = [...stops].map((stop) => stop());
      stops.clear();
      await Promise.allSettled(closing);
    },
  };
}
