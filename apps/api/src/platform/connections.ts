/**
 * The connections that Kysely works on, one at a time each. The driver's own
 * reserved connections break the whole process when the server hangs up between
 * two statements of a transaction (a restart, an idle time-out): it writes to a
 * socket that is gone. A client with a single connection says so by `onclose`,
 * and what comes after is refused instead of running outside the transaction.
 */
import postgres from 'postgres';
import type { Sql } from './database.ts';

type Client = Pick<Sql, 'unsafe' | 'end'>;
type Query = ReturnType<Client['unsafe']>;

interface Connection {
  readonly client: Client;
  /** The server hung up since the connection was taken. */
  lost: boolean;
}

/** As much of a reserved connection as Kysely's driver uses. */
export interface Reserved {
  unsafe(...query: Parameters<Client['unsafe']>): Query;
  release(): void;
}

export class ConnectionLost extends Error {
  constructor() {
    super('The connection to the database was lost in the middle of a transaction.');
    this.name = 'ConnectionLost';
  }
}

export interface Connections {
  /** Waits, in the order of asking, when all are taken. */
  reserve(): Promise<Reserved>;
  end(options?: { timeout?: number }): Promise<void>;
}

/** As many connections as `sql` may have, or as said, each opened when it is first needed. */
export function openConnections(sql: Sql, most: number = sql.options.max): Connections {
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  function add(): Connection {
    const connection: Connection = {
      client: single(sql, () => (connection.lost = true)),
      lost: false,
    };
    all.add(connection);
    return connection;
  }

  async function take(): Promise<Connection> {
    const known = idle.pop();
    if (known) {
      // While nobody used it, the client may have lost it: it opens it anew.
      known.lost = false;
      return known;
    }
    if (all.size < most) return add();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function giveBack(connection: Connection): void {
    const next = waiting.shift();
    if (connection.lost) {
      // The server's last words may still be on their way: the next one must not hear them.
      all.delete(connection);
      void connection.client.end({ timeout: 1 }).catch(() => undefined);
      next?.(add());
    } else if (next) next(connection);
    else idle.push(connection);
  }

  return {
    async reserve() {
      const connection = await take();
      return {
        unsafe(...query) {
          if (connection.lost) return refuse(query[0]);
          const pending = connection.client.unsafe(...query);
          pending.catch((error: unknown) => (connection.lost ||= hangsUp(error)));
          return pending;
        },
        release: () => giveBack(connection),
      };
    },

    async end(options) {
      await Promise.all([...all].map(({ client }) => client.end(options)));
    },
  };
}

/** Whether the error says that the connection is gone, or is going. */
function hangsUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(CONNECTION_|57P0|08|25P03|25P04|ECONN|EPIPE)/.test(code);
}

/**
 * The driver opens its own listening connection from its parsed options in just
 * this way. No lifetime: it would end between two statements of a transaction.
 */
function single(sql: Sql, onclose: () => void): Client {
  const options = { ...sql.options, max: 1, max_lifetime: null, idle_timeout: null, onclose };
  return postgres(
    options as unknown as postgres.Options<Record<string, never>>,
  ) as unknown as Client;
}

/** A lost transaction has been rolled back by the server; everything else in it cannot go on. */
function refuse(statement: string): Query {
  const answer =
    statement === 'rollback'
      ? Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))
      : Promise.reject(new ConnectionLost());
  return answer as unknown as Query;
}
