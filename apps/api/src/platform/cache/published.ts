/**
 * Public answers kept as ready buffers with their ETag, so that the home page's
 * readers cost neither SQL nor serialising. A change made in any process is
 * announced in its transaction and heard after the commit; an answer is rebuilt
 * by the next request after that, and at the latest when it has grown too old.
 */
import type { FastifyReply } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import { entityTag, matches, READER_CACHE } from '#platform/http/conditional.ts';
import type { Tx } from '#platform/db/database.ts';
import { openKept } from './shared-cache.ts';
import type { Notices } from './notices.ts';

export interface PublishedOptions {
  /** How old an answer may grow without any change being heard of. */
  readonly maxAgeSeconds?: number;
  /** The names whose changes make it old, where it isn't its own: of all that it is made of. */
  readonly follows?: readonly string[];
}

export interface Published {
  /**
   * Sends the answer of that name, built when there is none; 304 when the
   * caller has it already. The reply's schema drops what was not promised.
   * What `build` throws is the answer to this request and is not kept.
   */
  send(
    reply: FastifyReply,
    name: string,
    build: () => Promise<unknown>,
    options?: PublishedOptions,
  ): Promise<FastifyReply>;
  /** The same for a value used inside the process; it is never sent. Don't change what you get. */
  kept<T>(name: string, build: () => Promise<T>, options?: PublishedOptions): Promise<T>;
  /** Says that the answers and values of these names change with this transaction. */
  changed(tx: Tx, ...names: string[]): Promise<void>;
}

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

const MAX_AGE_SECONDS = 60;

export function openPublished(notices: Notices): Published {
  const values = openKept(notices, 'published');
  const age = ({ maxAgeSeconds = MAX_AGE_SECONDS }: PublishedOptions = {}) =>
    maxAgeSeconds * SECOND;

  return {
    kept: (name, build, options) =>
      values.get(`value ${name}`, options?.follows ?? [name], build, age(options)),
    changed: values.changed,

    async send(reply, name, build, options) {
      const prepare = async () => ready(reply, await build());
      const answer = await values.get(
        `answer ${name}`,
        options?.follows ?? [name],
        prepare,
        age(options),
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
