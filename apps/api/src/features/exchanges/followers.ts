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
import { Refusal, unauthenticated } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { sendEvents, writeEvents } from '#platform/http/event-stream.ts';
import { runInBackground } from '#platform/http/request-context.ts';
import { onSessionsEnded } from '#platform/security/session-ends.ts';
import { actorsOf } from '#features/auth/sessions/sessions.ts';
import { findOwn } from './customer-reads.ts';

const HEARTBEAT_MS = 20 * SECOND;
const HEARTBEAT = Buffer.from(': heartbeat\n\n');
const RECONNECT_MS = 3 * SECOND;
const MAX_PER_USER = 8;
const MAX_TOTAL = 5000;

interface Follower {
  /** Null for an operator, who follows all. */
  readonly number: string | null;
  readonly actor: Actor;
  readonly sessionId: string;
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
    const change = changeOf({ version, state });
    const ofAll = { number, version, state, queue };
    const foreign = changeOf({ ...ofAll, own: false });
    const own = changeOf({ ...ofAll, own: true });
    for (const follower of followers) {
      if (follower.number === number) writeEvents(follower.stream, change);
      if (follower.number === null)
        writeEvents(follower.stream, by === follower.actor.id ? own : foreign);
    }
  }

  async function listen(): Promise<void> {
    listening ??= listenToBoth(
      deps,
      onChange,
      (userId) => void endSignedOut(deps, ofUser(followers, userId)),
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
    if (request.session === null) throw unauthenticated();
    const { id: sessionId } = request.session;
    const follower = { number, actor, sessionId, stream: new PassThrough() };
    add(follower);
    try {
      // After the follower was added, so that no change is missed.
      const first = number === null ? null : await findOwn(deps.db, actor, number);
      writeEvents(follower.stream, `retry: ${RECONNECT_MS}\n\n`);
      if (first)
        writeEvents(follower.stream, changeOf({ version: first.version, state: first.state }));
      await endSignedOut(deps, [follower]);
    } catch (error) {
      follower.stream.destroy();
      throw error;
    }
    if (request.method === 'HEAD') follower.stream.end();
    return sendEvents(reply, follower.stream);
  };
}

/** Keeps proxies from closing idle streams, and ends those whose session has expired, which has no notice. */
async function sendHeartbeats(deps: Deps, followers: ReadonlySet<Follower>): Promise<void> {
  for (const { stream } of await endSignedOut(deps, [...followers])) writeEvents(stream, HEARTBEAT);
}

function ofUser(followers: ReadonlySet<Follower>, userId: Id): Follower[] {
  return [...followers].filter(({ actor }) => actor.id === userId);
}

/**
 * Ends streams whose session has ended, by one query for all; returns the others. Where sessions cannot be read they
 * count as open.
 */
async function endSignedOut(
  deps: Deps,
  followers: readonly Follower[],
): Promise<readonly Follower[]> {
  let actors: ReadonlyMap<string, Actor>;
  try {
    actors = await actorsOf(
      deps,
      followers.map(({ sessionId }) => sessionId),
    );
  } catch (error) {
    deps.log.warn({ err: error }, 'The sessions of pages that follow exchanges were not read.');
    return followers;
  }
  return followers.filter(({ sessionId, number, stream }) => {
    const now = actors.get(sessionId);
    // An operator may have lost the permission meanwhile.
    const mayFollow = now !== undefined && (number !== null || now.permissions.includes('desk'));
    if (!mayFollow) stream.end();
    return mayFollow;
  });
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

function requireRoom(followers: ReadonlySet<Follower>, { id }: Actor): void {
  const own = ofUser(followers, id).length;
  if (own < MAX_PER_USER && followers.size < MAX_TOTAL) return;
  throw new Refusal(429, 'too_many_streams', 'Too many pages are open. Close some of them.', {
    retryAfterSeconds: HEARTBEAT_MS / SECOND,
  });
}

/** Bytes, so that they are made once for all pages. */
function changeOf(change: object): Buffer {
  return Buffer.from(`event: exchange\ndata: ${JSON.stringify(change)}\n\n`);
}
