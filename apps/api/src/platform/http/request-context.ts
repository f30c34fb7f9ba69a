/**
 * Which request the running code works for. The pool asks, so that what nobody
 * waits for any more does no work, and so that an operator's request does not
 * wait behind those of the public. Code outside any request (jobs, the
 * scheduler, the start) has no context.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

export interface RequestContext {
  /** Null for work that several requests share and that goes on without the first of them. */
  readonly response: Pick<ServerResponse, 'writableEnded' | 'destroyed'> | null;
  /** An admin's: may use the connections that are set aside. Set by the guard, which knows who asks. */
  urgent: boolean;
  /** When the request came, by `performance.now()`. */
  readonly startedAt: number;
  /** It has had a connection: what the database did for it is wasted when it is refused now. */
  begun: boolean;
}

const contexts = new AsyncLocalStorage<RequestContext>();

export const requestContext = (): RequestContext | undefined => contexts.getStore();

export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work);
}

/** For a value that other requests wait for too: it is made although the first of them has ended. */
export function runForAll<T>(work: () => T): T {
  const context = contexts.getStore();
  return context === undefined ? work() : contexts.run({ ...context, response: null }, work);
}

/** For work that is no request's: it may wait longer, and may use the connections that are set aside. */
export function runInBackground<T>(work: () => T): T {
  return contexts.exit(work);
}

/** Its client is gone, or it was answered: by a time-out, perhaps, while its handler still works. */
export function isOver({ response }: RequestContext): boolean {
  return response !== null && (response.writableEnded || response.destroyed);
}
