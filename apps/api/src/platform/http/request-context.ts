/**
 * The request that the running code works for. The pool uses it to skip requests that are over, and to serve
 * operators before the public. Code outside any request (jobs, the scheduler, the start) has no context.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RequestContext {
  /** Null for work that several requests share. */
  readonly response: Pick<ServerResponse, 'writableEnded' | 'destroyed'> | null;
  /** May use the reserved connections: set by the guard for admins. */
  urgent: boolean;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** It has had a connection already: refusing it now would waste that work. */
  begun: boolean;
}

const contexts = new AsyncLocalStorage<RequestContext>();

export const requestContext = (): RequestContext | undefined => contexts.getStore();

export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work);
}

/** For a value that other requests share: it is built even if the first request has ended. */
export function runForAll<T>(work: () => T): T {
  const context = contexts.getStore();
  return context === undefined ? work() : contexts.run({ ...context, response: null }, work);
}

/** For background work: it may wait longer, and may use the reserved connections. */
export function runInBackground<T>(work: () => T): T {
  return contexts.exit(work);
}

/** Its client has disconnected, or it was answered, perhaps by a time-out while its handler still runs. */
export function isOver({ response }: RequestContext): boolean {
  return response !== null && (response.writableEnded || response.destroyed);
}

/** A request id of the caller is used if it is safe to log. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}
