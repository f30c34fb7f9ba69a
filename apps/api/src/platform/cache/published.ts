/**
 * Public answers cached as buffers with their ETag, so that they need neither SQL nor serialization. A change
 * in any process is announced in its transaction and received after the commit; the next request rebuilds the
 * answer. Every answer also expires.
 */
import type { FastifyReply } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { entityTag, matches, READER_CACHE } from '#platform/http/conditional.ts';
import type { Tx } from '#platform/db/database.ts';
import { openSharedCache } from './shared-cache.ts';
import type { Notices } from './notices.ts';

export interface PublishedOptions {
  /** The age at which an answer expires. */
  readonly maxAgeSeconds?: number;
  /** The names whose changes outdate it; its own name by default. */
  readonly follows?: readonly string[];
  /** What it is made of beside, compared by `===`: another one outdates it. */
  readonly source?: unknown;
}

export interface Published {
  /** Sends the answer of that name, built if necessary; 304 when the caller has it. Errors of `build` are not cached. */
  send(
    reply: FastifyReply,
    name: string,
    build: () => Promise<unknown>,
    options?: PublishedOptions,
  ): Promise<FastifyReply>;
  /** A cached value for use inside the process. Do not modify it. */
  cached<T>(name: string, build: () => Promise<T>, options?: PublishedOptions): Promise<T>;
  /** Announces that this transaction changes the answers and values of these names. */
  changed(tx: Tx, ...names: string[]): Promise<void>;
  /** `change` after each announcement of any process; `missed` when some may be lost. */
  listen(change: () => void, missed: () => void): Promise<void>;
}

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

const CHANNEL = 'published';
const MAX_AGE_SECONDS = 60;

export function openPublished(notices: Notices): Published {
  const values = openSharedCache(notices, CHANNEL);
  const age = ({ maxAgeSeconds = MAX_AGE_SECONDS }: PublishedOptions = {}) =>
    maxAgeSeconds * SECOND;

  return {
    cached: (name, build, options) =>
      values.get(`value ${name}`, options?.follows ?? [name], build, age(options), options?.source),
    changed: values.changed,
    async listen(change, missed) {
      await notices.listen(CHANNEL, change, missed);
    },

    async send(reply, name, build, options) {
      const prepare = async () => ready(reply, await build());
      const answer = await values.get(
        `answer ${name}`,
        options?.follows ?? [name],
        prepare,
        age(options),
        options?.source,
      );
      reply.header('cache-control', READER_CACHE).header('etag', answer.etag);
      if (matches(reply.request.headers['if-none-match'], answer.etag))
        return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(answer.body);
    },
  };
}

function ready(reply: FastifyReply, value: unknown): Answer {
  const serialize = reply.getSerializationFunction(String(reply.statusCode));
  const body = Buffer.from(
    serialize ? serialize(value as Record<string, unknown>) : JSON.stringify(value),
  );
  return { body, etag: entityTag(body) };
}
