/**
 * One connection to the server, whose questions have a deadline on our side.
 * The server's `statement_timeout` does nothing when the network swallows its
 * answer, or our question: a firewall that forgot the connection tells neither
 * side. What is not answered in time is lost: the socket is destroyed, the
 * caller gets an error that becomes 503, and the next one opens a new connection.
 *
 * The driver's own reserved connections are not used: they break the whole
 * process when the server hangs up between two statements of a transaction (a
 * restart, an idle time-out), since the driver writes to a socket that is gone.
 */
import net from 'node:net';
import postgres from 'postgres';
import { SECOND } from '#kernel/clock.ts';
import type { Sql } from './database.ts';

type Query = ReturnType<Sql['unsafe']>;
type Asked = Parameters<Sql['unsafe']>;

export interface DatabaseClient {
  /** Sends a statement; refused when the connection was lost since the last `renew`. */
  unsafe(...query: Asked): Query;
  /** How long an answer may take from now on, in milliseconds; without it as long as usual. */
  answerWithin(timeoutMs?: number): void;
  /** The connection is gone, by the server's doing or ours: what follows in its transaction is refused. */
  isLost(): boolean;
  /** Drops the connection without a word to the server, which may not hear it. */
  destroy(): void;
  end(timeoutSeconds: number): Promise<void>;
}

export interface ClientEvents {
  /** The connection is gone. */
  readonly onLost?: () => void;
  readonly onNotice?: (channel: string, payload: string) => void;
  /** The server did not answer in time: other connections of the same age may be as dead. */
  readonly onSilence?: () => void;
}

export class ConnectionLost extends Error {
  constructor(message = 'The connection to the database was lost in the middle of a transaction.') {
    super(message);
    this.name = 'ConnectionLost';
  }
}

/** What the network and the server may take on top of the time that the server allows a statement. */
const GRACE_MS = 1.5 * SECOND;

/** Connects with the first statement. */
export function openClient(
  sql: Sql,
  { onLost, onNotice, onSilence }: ClientEvents,
): DatabaseClient {
  const usualMs = Number(sql.options.connection['statement_timeout']) + GRACE_MS;
  let answerMs = usualMs;
  let lost = false;
  let ended = false;
  let socket: net.Socket | null = null;
  let attempts = 0;

  function lose(): void {
    if (lost) return;
    lost = true;
    onLost?.();
  }

  const client = openDriver(sql, { socket: openSocket, onclose: lose, onnotify: onNotice });

  function openSocket(options: Sql['options']): net.Socket {
    // The driver plans a next attempt on its own when a connection breaks off while it is opened.
    if (ended) throw new ConnectionLost();
    return (socket = connectSocket(options, attempts++));
  }

  function destroy(): void {
    if (ended) return;
    ended = true;
    lose();
    socket?.destroy();
    // What was asked and not answered is rejected by this, also while it is connecting.
    void client.end({ timeout: 0 }).catch(() => undefined);
  }

  function expire(isPending: () => boolean): void {
    // The answer may lie in the socket unread, where the process itself was late.
    setImmediate(() => {
      if (!isPending()) return;
      destroy();
      onSilence?.();
    });
  }

  return {
    unsafe(...query) {
      if (lost) return refuse(query[0]);
      const pending = client.unsafe(...query);
      let isPending = true;
      const deadline = setTimeout(expire, answerMs, () => isPending);
      const settle = () => {
        isPending = false;
        clearTimeout(deadline);
      };
      pending.then(settle, (error: unknown) => {
        settle();
        if (hangsUp(error)) lose();
      });
      return pending;
    },
    answerWithin: (timeoutMs = usualMs) => void (answerMs = timeoutMs),
    isLost: () => lost,
    destroy,
    async end(timeoutSeconds) {
      if (ended) return;
      ended = true;
      await client.end({ timeout: timeoutSeconds });
      socket?.destroy();
    },
  };
}

interface DriverEvents {
  readonly socket: (options: Sql['options']) => net.Socket;
  readonly onclose: () => void;
  readonly onnotify: ((channel: string, payload: string) => void) | undefined;
}

/** The driver takes its own parsed options as they are; its listening connection is opened like this. */
function openDriver(sql: Sql, events: DriverEvents): Sql {
  const options = {
    ...sql.options,
    ...events,
    max: 1,
    // It would end between two statements of a transaction.
    max_lifetime: null,
    idle_timeout: null,
  };
  return postgres(options as unknown as postgres.Options<Record<string, never>>) as unknown as Sql;
}

/** As the driver makes its own, to the next host at each attempt; it connects while the driver already writes. */
function connectSocket({ path, host, port }: Sql['options'], attempt: number): net.Socket {
  const at = attempt % host.length;
  const address = { host: host[at] ?? '', port: port[at] ?? 0 };
  return Object.assign(path ? net.connect(path) : net.connect(address), address);
}

/** The deadline on our side for statements to which the server gives this long. */
export function deadlineFor(statementTimeoutMs: number): number {
  return statementTimeoutMs + GRACE_MS;
}

/** Whether the error says that the connection is gone, or is going. */
function hangsUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(CONNECT(ION)?_|57P0|08|25P03|25P04|ECONN|EPIPE)/.test(code) ||
    (error instanceof Error && 'syscall' in error && error.syscall === 'connect')
  );
}

/** A lost transaction has been rolled back by the server; everything else in it cannot go on. */
function refuse(statement: string): Query {
  const answer =
    statement === 'rollback'
      ? Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))
      : Promise.reject(new ConnectionLost());
  return answer as unknown as Query;
}
