/**
 * Server-sent events for pages that follow an exchange. An event only has the version and state;
 * the page then reads the exchange. Streams end with the session, and when notices may have been
 * missed; pages reconnect.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { sendEvents, writeEvents } from '#platform/http/event-stream.ts';
import { runInBackground } from '#platform/http/request-context.ts';
import { onSessionsEnded } from '#platform/security/session-ends.ts';
import { sessionOf } from '#features/auth/sessions/sessions.ts';
import { findOwn } from './customer-reads.ts';

const HEARTBEAT_MS = 20 * SECOND;
const RECONNECT_MS = 3 * SECOND;
const MAX_PER_USER = 8;
const MAX_TOTAL = 500;

interface Follower {
  /** Null for an operator, who follows all. */
  readonly number: string | null;
  readonly actor: Actor;
  readonly cookies: string | undefined;
  readonly stream: PassThrough;
}

interface Asked extends Pick<Follower, 'actor'> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Follows one exchange, or all of them. @throws Refusal 404; 429 `too_many_streams` */
export type Follow = (asked: Asked, number: string | null) => Promise<FastifyReply>;

export function openFollowers(deps: Deps): Follow {
  const followers = new Set<Follower>();
  let listening: Promise<unknown> | null = null;
  let heartbeat: NodeJS.Timeout | undefined;

  function onChange({ number, version, state, queue, by }: Record<string, unknown>): void {
    for (const follower of followers) {
      if (follower.number === number) sendChange(follower, { version, state });
      const own = by === follower.actor.id;
      if (follower.number === null) sendChange(follower, { number, version, state, queue, own });
    }
  }

  async function listen(): Promise<void> {
    listening ??= listenToBoth(
      deps,
      onChange,
      (userId) => void endSignedOut(deps, followers, userId),
      endAll,
    );
    try {
      await listening;
    } catch (error) {
      listening = null;
      throw error;
    }
  }

  function endAll(): void {
    for (const { stream } of followers) stream.end();
  }

  function add(follower: Follower): void {
    requireRoom(followers, follower.actor);
    followers.add(follower);
    follower.stream.once('close', () => {
      followers.delete(follower);
      if (followers.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    });
    // Outside the request that starts it, which may end before the others.
    heartbeat ??= runInBackground(() =>
      setInterval(() => void sendHeartbeats(deps, followers), HEARTBEAT_MS).unref(),
    );
  }

  return async ({ request, reply, actor }, number) => {
    await listen();
    const { cookie: cookies } = request.headers;
    const follower = { number, actor, cookies, stream: new PassThrough() };
    add(follower);
    try {
      // After the follower was added, so that no change is missed.
      const first = number === null ? null : await findOwn(deps.db, actor, number);
      writeEvents(follower.stream, `retry: ${RECONNECT_MS}\n\n`);
      if (first) sendChange(follower, { version: first.version, state: first.state });
      await endIfSignedOut(deps, follower);
    } catch (error) {
      follower.stream.destroy();
      throw error;
    }
    if (request.method === 'HEAD') follower.stream.end();
    return sendEvents(reply, follower.stream);
  };
}

/** Other sessions of the user continue. */
async function endSignedOut(
  deps: Deps,
  followers: ReadonlySet<Follower>,
  userId: Id,
): Promise<void> {
  const own = [...followers].filter(({ actor }) => actor.id === userId);
  await Promise.all(own.map((follower) => endIfSignedOut(deps, follower)));
}

/** Keeps proxies from closing idle streams, and ends those whose session has expired, which has no notice. */
async function sendHeartbeats(deps: Deps, followers: ReadonlySet<Follower>): Promise<void> {
  for (const follower of followers) {
    if (await endIfSignedOut(deps, follower)) writeEvents(follower.stream, ': heartbeat\n\n');
  }
}

async function listenToBoth(
  { notices }: Deps,
  changed: (exchange: Record<string, unknown>) => void,
  ended: (userId: Id) => void,
  missed: () => void,
): Promise<void> {
  const stop = await notices.listen('exchange', changed, missed);
  try {
    await onSessionsEnded({ notices }, ended, missed);
  } catch (error) {
    // The next page tries again and must not receive every notice twice.
    stop();
    throw error;
  }
}

/** False where the stream's session has ended; a session that cannot be read counts as active. */
async function endIfSignedOut(
  deps: Deps,
  { number, stream, cookies, actor }: Follower,
): Promise<boolean> {
  try {
    const now = (await sessionOf(deps, cookies)).member?.actor;
    // An operator may have lost the permission meanwhile.
    if (now?.id === actor.id && (number !== null || now.permissions.includes('desk'))) return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'The session of a page that follows an exchange was not read.');
    return true;
  }
  stream.end();
  return false;
}

function requireRoom(followers: ReadonlySet<Follower>, { id }: Actor): void {
  const own = [...followers].filter(({ actor }) => actor.id === id).length;
  if (own < MAX_PER_USER && followers.size < MAX_TOTAL) return;
  throw new Refusal(429, 'too_many_streams', 'Too many pages are open. Close some of them.', {
    retryAfterSeconds: HEARTBEAT_MS / SECOND,
  });
}

function sendChange({ stream }: Follower, change: object): void {
  writeEvents(stream, `event: exchange\ndata: ${JSON.stringify(change)}\n\n`);
}
