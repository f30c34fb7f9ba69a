/**
 * The connection pool of Kysely and the job queue, with a bounded queue of waiting work.
 *
 * - A request waits at most two seconds for a connection, and not behind fifty others; then it is refused with
 *   503, before a slow database delays everything. The oldest request is served first. Requests that have
 *   had a connection do not count among the fifty, since refusing them would waste work. Requests that are over
 *   (client disconnected, or answered by a time-out) are skipped.
 * - Some connections are reserved for requests of admins (`guards.ts`) and background work (jobs, the
 *   scheduler, readiness), which may use all and wait longer.
 * - When one connection does not answer in time, the idle ones are closed too: the same firewall has probably
 *   dropped them.
 */
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { openClient, type DatabaseClient } from './database-client.ts';
import type { Sql } from './database.ts';
import { isOver, requestContext, type RequestContext } from '#platform/http/request-context.ts';

/** The part of a reserved connection that Kysely's driver uses, and its deadline. */
export interface Reserved extends Pick<DatabaseClient, 'unsafe' | 'answerWithin'> {
  release(): void;
}

export interface Connections {
  /** @throws {NoConnection} when none is free in time, or for a request that is over */
  reserve(): Promise<Reserved>;
  /** Whether a defect holds all connections of requests for longer than any deadline: only a restart helps. */
  isStuck(): boolean;
  end(options?: { timeout?: number }): Promise<void>;
}

export interface ConnectionsOptions {
  /** For all requests; the size of `sql` by default. */
  readonly size?: number;
  /** Additional ones for admins and background work. */
  readonly setAside?: number;
}

export class NoConnection extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoConnection';
  }
}

interface Waiting {
  readonly context: RequestContext | undefined;
  readonly isOrdinary: boolean;
  readonly since: number;
  grant(): void;
  refuse(error: Error): void;
}

const SET_ASIDE = 2;
const MAX_WAITING = 50;
const REQUEST_WAIT_MS = 2 * SECOND;
const BACKGROUND_WAIT_MS = 30 * SECOND;
/** The longest statement of a request may take a minute; the task of the whole ledger takes one connection. */
const STUCK_MS = 5 * MINUTE;

export function openConnections(sql: Sql, options: ConnectionsOptions = {}): Connections {
  const { size = sql.options.max, setAside = size > 1 ? SET_ASIDE : 0 } = options;
  const all = new Set<DatabaseClient>();
  const idle = new Set<DatabaseClient>();
  /** When each taken connection was lent, by `performance.now()`. */
  const lentAt = new Set<{ readonly at: number }>();
  let ordinary = 0;

  const mayTake = (isOrdinary: boolean) =>
    lentAt.size < size + setAside && (!isOrdinary || ordinary < size);
  const queue = openQueue(mayTake);

  function open(): DatabaseClient {
    const client = openClient(sql, {
      // A connection lost while idle is not lent.
      onLost: () => idle.delete(client) && drop(client),
      onSilence: () => idle.forEach(drop),
    });
    all.add(client);
    return client;
  }

  function drop(client: DatabaseClient): void {
    all.delete(client);
    idle.delete(client);
    client.destroy();
  }

  function lend(context: RequestContext | undefined): Reserved {
    const isOrdinary = ordinaryWork(context);
    const client = [...idle].at(-1) ?? open();
    idle.delete(client);
    const lent = { at: performance.now() };
    lentAt.add(lent);
    if (isOrdinary) ordinary += 1;
    if (context !== undefined) context.begun = true;
    return {
      unsafe: client.unsafe,
      answerWithin: client.answerWithin,
      release() {
        lentAt.delete(lent);
        if (isOrdinary) ordinary -= 1;
        client.answerWithin();
        // Late messages of the server must not reach the next user.
        if (client.isLost()) drop(client);
        else idle.add(client);
        queue.serveNext();
      },
    };
  }

  return {
    async reserve() {
      const context = requestContext();
      if (context !== undefined && isOver(context)) throw requestOver();
      if (mayTake(ordinaryWork(context))) return lend(context);
      return queue.wait(context, () => lend(context));
    },

    isStuck() {
      const before = performance.now() - STUCK_MS;
      return [...lentAt].filter(({ at }) => at < before).length >= size;
    },

    async end({ timeout = 5 } = {}) {
      await Promise.all([...all].map((client) => client.end(timeout)));
    },
  };
}

/** The oldest request first. */
function openQueue(mayTake: (isOrdinary: boolean) => boolean) {
  let waiting: Waiting[] = [];

  const remove = (entry: Waiting) => void (waiting = waiting.filter((each) => each !== entry));

  /** Removes requests that are over; counts those that wait for their first connection. */
  function countRequests(isOrdinary: boolean): number {
    for (const each of waiting.filter(({ context }) => context !== undefined && isOver(context))) {
      remove(each);
      each.refuse(requestOver());
    }
    return waiting.filter((each) => each.context?.begun === false && each.isOrdinary === isOrdinary)
      .length;
  }

  function serveNext(): void {
    const next = waiting.find(({ isOrdinary }) => mayTake(isOrdinary));
    if (next === undefined) return;
    remove(next);
    if (next.context !== undefined && isOver(next.context)) {
      next.refuse(requestOver());
      serveNext();
    } else next.grant();
  }

  return {
    serveNext,

    /** @throws {NoConnection} when none is free in time, or too many requests wait already */
    async wait(context: RequestContext | undefined, lend: () => Reserved): Promise<Reserved> {
      const isOrdinary = ordinaryWork(context);
      if (context?.begun === false && countRequests(isOrdinary) >= MAX_WAITING)
        throw new NoConnection('Too many requests are waiting.');
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          context,
          isOrdinary,
          since: context?.startedAt ?? performance.now(),
          grant() {
            clearTimeout(timer);
            resolve(lend());
          },
          refuse(error) {
            clearTimeout(timer);
            reject(error);
          },
        };
        const late = () => {
          remove(entry);
          entry.refuse(new NoConnection('No connection became free in time.'));
        };
        const timer = setTimeout(late, context ? REQUEST_WAIT_MS : BACKGROUND_WAIT_MS);
        const at = waiting.findIndex(({ since }) => since > entry.since);
        waiting.splice(at < 0 ? waiting.length : at, 0, entry);
      });
    },
  };
}

/** Neither an admin's request nor background work. */
function ordinaryWork(context: RequestContext | undefined): boolean {
  return context !== undefined && !context.urgent;
}

function requestOver(): NoConnection {
  return new NoConnection('The request is over.');
}
