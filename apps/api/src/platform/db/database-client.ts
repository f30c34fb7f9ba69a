/**
 * One connection to the server, with a deadline on our side. `statement_timeout` does not help when the network
 * drops the statement or its answer: a firewall that forgot the connection notifies neither side. After the
 * deadline the socket is destroyed, the caller gets an error that becomes 503, and a new connection is opened.
 *
 * The driver's own reserved connections are not used: when the server closes one between two statements of a
 * transaction (restart, idle time-out), the driver writes to a closed socket and crashes the process.
 */
import net from 'node:net';
import postgres from 'postgres';
import { SECOND } from '#kernel/clock.ts';
import type { Sql } from './database.ts';

type Query = ReturnType<Sql['unsafe']>;
type QueryArguments = Parameters<Sql['unsafe']>;

export interface DatabaseClient {
  /** Sends a statement; fails when the connection was lost. */
  unsafe(...query: QueryArguments): Query;
  /** Sets how long answers may take from now on; the usual time by default. */
  answerWithin(timeoutMs?: number): void;
  /** The connection is closed, by either side: further statements of its transaction fail. */
  isLost(): boolean;
  /** Closes the connection without notifying the server. */
  destroy(): void;
  end(timeoutSeconds: number): Promise<void>;
}

export interface ClientEvents {
  readonly onLost?: () => void;
  readonly onNotice?: (channel: string, payload: string) => void;
  /** The server did not answer in time: other connections of the same age may be dead too. */
  readonly onSilence?: () => void;
}

export class ConnectionLost extends Error {
  constructor(message = 'The connection to the database was lost in the middle of a transaction.') {
    super(message);
    this.name = 'ConnectionLost';
  }
}

/** On top of the time that the server allows a statement. */
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
  const unanswered = new Set<Abandonable>();

  function lose(): void {
    if (lost) return;
    lost = true;
    onLost?.();
  }

  const client = openDriver(sql, { socket: openSocket, onclose: lose, onnotify: onNotice });

  function openSocket(options: Sql['options']): net.Socket {
    // The driver retries on its own when a connection breaks while it is opened.
    if (ended) throw new ConnectionLost();
    return (socket = connectSocket(options, attempts++));
  }

  function destroy(): void {
    if (ended) return;
    ended = true;
    lose();
    socket?.destroy();
    void client.end({ timeout: 0 }).catch(() => undefined);
    // The driver may leave those that waited behind the first while it connected.
    for (const { abandon } of unanswered) abandon();
  }

  function expire(isPending: () => boolean): void {
    // The answer may be in the socket, unread because the process itself was late.
    setImmediate(() => {
      if (!isPending()) return;
      destroy();
      onSilence?.();
    });
  }

  return {
    unsafe(...query) {
      if (lost) return refuse(query[0]);
      const answer = abandonable(client.unsafe(...query), () => {
        unanswered.delete(answer);
        clearTimeout(deadline);
      });
      unanswered.add(answer);
      const deadline = setTimeout(expire, answerMs, () => unanswered.has(answer));
      answer.promise.catch((error: unknown) => hangsUp(error) && lose());
      return answer.promise as Query;
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

interface Abandonable {
  readonly promise: Promise<Awaited<Query>>;
  /** Fails it at once. */
  abandon(): void;
}

function abandonable(query: Query, settled: () => void): Abandonable {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<Query>>();
  query.finally(settled).then(resolve, reject);
  const abandon = () => {
    settled();
    reject(new ConnectionLost());
  };
  return { promise, abandon };
}

interface DriverEvents {
  readonly socket: (options: Sql['options']) => net.Socket;
  readonly onclose: () => void;
  readonly onnotify: ((channel: string, payload: string) => void) | undefined;
}

/** The driver accepts its own parsed options; it opens its listening connection like this. */
function openDriver(sql: Sql, events: DriverEvents): Sql {
  const options = {
    ...sql.options,
    ...events,
    max: 1,
    // Else it could end between two statements of a transaction.
    max_lifetime: null,
    idle_timeout: null,
  };
  return postgres(options as unknown as postgres.Options<Record<string, never>>) as unknown as Sql;
}

/** As the driver does, to the next host at each attempt. */
function connectSocket({ path, host, port }: Sql['options'], attempt: number): net.Socket {
  const at = attempt % host.length;
  const address = { host: host[at] ?? '', port: port[at] ?? 0 };
  return Object.assign(path ? net.connect(path) : net.connect(address), address);
}

/** The deadline on our side for statements to which the server gives this long. */
export function deadlineFor(statementTimeoutMs: number): number {
  return statementTimeoutMs + GRACE_MS;
}

/** Whether the error means that the connection is closed or closing. */
function hangsUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(CONNECT(ION)?_|57P0|08|25P03|25P04|ECONN|EPIPE)/.test(code) ||
    (error instanceof Error && 'syscall' in error && error.syscall === 'connect')
  );
}

/** The server has rolled back a lost transaction, so a rollback succeeds; everything else fails. */
function refuse(statement: string): Query {
  const answer =
    statement === 'rollback'
      ? Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))
      : Promise.reject(new ConnectionLost());
  return answer as unknown as Query;
}
