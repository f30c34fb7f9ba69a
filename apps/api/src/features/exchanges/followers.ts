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
import { runInBackground } from '#platform/http/request-context.ts';
import { onSessionsEnded } from '#platform/security/session-ends.ts';
import { sessionOf } from '#features/auth/sessions/sessions.ts';
import { findOwn } from './customer-reads.ts';

const HEARTBEAT_MS = 20 * SECOND;
const RECONNECT_MS = 3 * SECOND;
const MAX_PER_USER = 8;
const MAX_TOTAL = 500;
/** A reader with a larger backlog is disconnected. */
const MAX_UNREAD_BYTES = 16 * 1024;

interface Follower {
  readonly number: string;
  readonly actor: Actor;
  readonly cookies: string | undefined;
  readonly stream: PassThrough;
}

export interface Followers {
  /** @throws Refusal 404; 429 `too_many_streams` */
  follow(
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
    number: string,
  ): Promise<FastifyReply>;
}

export function openFollowers(deps: Deps): Followers {
  const followers = new Set<Follower>();
  let listening: Promise<unknown> | null = null;
  let heartbeat: NodeJS.Timeout | null = null;

  function onChange({ number, version, state }: Record<string, unknown>): void {
    for (const follower of followers) {
      if (follower.number === number) sendChange(follower, version, state);
    }
  }

  async function listen(): Promise<void> {
    listening ??= listenToBoth(deps, onChange, (userId) => void endSignedOut(userId), endAll);
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

  /** Other sessions of the user continue. */
  async function endSignedOut(userId: Id): Promise<void> {
    const own = [...followers].filter(({ actor }) => actor.id === userId);
    await Promise.all(own.map((follower) => endIfSignedOut(deps, follower)));
  }

  function add(follower: Follower): void {
    requireRoom(followers, follower.actor);
    followers.add(follower);
    follower.stream.once('close', () => {
      followers.delete(follower);
      if (followers.size > 0 || heartbeat === null) return;
      clearInterval(heartbeat);
      heartbeat = null;
    });
    // Outside this request, which may end before the others.
    heartbeat ??= runInBackground(() =>
      setInterval(() => void sendHeartbeats(), HEARTBEAT_MS).unref(),
    );
  }

  /** Keeps proxies from closing idle streams, and ends those whose session has expired, which has no notice. */
  async function sendHeartbeats(): Promise<void> {
    for (const follower of followers) {
      if (await endIfSignedOut(deps, follower)) write(follower.stream, ': heartbeat\n\n');
    }
  }

  return {
    async follow(request, reply, actor, number) {
      await listen();
      const stream = new PassThrough();
      const follower = { number, actor, cookies: request.headers.cookie, stream };
      add(follower);
      try {
        // Read after the follower was added, so that no change is missed.
        const { version, state } = await findOwn(deps.db, actor, number);
        write(stream, `retry: ${RECONNECT_MS}\n\n`);
        sendChange(follower, version, state);
        await endIfSignedOut(deps, follower);
      } catch (error) {
        stream.destroy();
        throw error;
      }
      if (request.method === 'HEAD') stream.end();
      return sendEvents(reply, stream);
    },
  };
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
async function endIfSignedOut(deps: Deps, { stream, cookies, actor }: Follower): Promise<boolean> {
  try {
    const session = await sessionOf(deps, cookies);
    if (session.member?.actor.id === actor.id) return true;
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

function sendEvents(reply: FastifyReply, stream: PassThrough): FastifyReply {
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // For proxies that buffer responses.
      .header('x-accel-buffering', 'no')
      .send(stream)
  );
}

function sendChange({ stream }: Follower, version: unknown, state: unknown): void {
  write(stream, `event: exchange\ndata: ${JSON.stringify({ version, state })}\n\n`);
}

function write(stream: PassThrough, text: string): void {
  if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
  else if (stream.writable) stream.write(text);
}
