/**
 * Public answers cached as buffers with their ETag, so that they need neither SQL nor serialization. A change
 * in any process is announced in its transaction and received after the commit; the next request rebuilds the
 * answer. Every answer also expires.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Throttle } from '@cambist/contract/endpoint';
import { SECOND } from '#kernel/clock.ts';
import {
  encodingFor,
  entityTag,
  matches,
  READER_CACHE,
  type Encoding,
} from '#platform/http/conditional.ts';
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

/** An answer in one encoding. */
export interface Representation {
  /** Of a 304 too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyHeaders: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly etag: string;
  readonly representations: Readonly<Record<Encoding, Representation>>;
}

/** What was answered at an address a moment ago. */
export interface ReadyAnswer {
  readonly answer: Answer;
  readonly route: string;
  readonly throttle: Throttle;
}

export interface Published {
  /** Sends the answer of that name, built if necessary; 304 when the caller has it. Errors of `build` are not cached. */
  send(
    reply: FastifyReply,
    name: string,
    build: () => Promise<unknown>,
    options?: PublishedOptions,
  ): Promise<FastifyReply>;
  /**
   * The answer that `send` has sent at this address (path and query) within the last second, unless it may have
   * changed since.
   */
  ready(url: string): ReadyAnswer | undefined;
  /** A cached value for use inside the process. Do not modify it. */
  cached<T>(name: string, build: () => Promise<T>, options?: PublishedOptions): Promise<T>;
  /** Announces that this transaction changes the answers and values of these names. */
  changed(tx: Tx, ...names: string[]): Promise<void>;
  /** `change` after each announcement of any process; `missed` when some may be lost. */
  listen(change: () => void, missed: () => void): Promise<void>;
}

const CHANNEL = 'published';
const MAX_AGE_SECONDS = 60;
/** `source`, and names that depend on the time, are only looked at by `send`. */
const READY_MS = SECOND;
const MAX_READY = 1000;

export function openPublished(notices: Notices): Published {
  const values = openSharedCache(notices, CHANNEL);
  const ready = new LRUCache<string, Omit<ReadyAnswer, 'answer'> & { readonly key: string }>({
    max: MAX_READY,
    ttl: READY_MS,
  });
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
      const key = `answer ${name}`;
      const prepare = async () => prepared(serialized(reply, await build()));
      const answer = await values.get(
        key,
        options?.follows ?? [name],
        prepare,
        age(options),
        options?.source,
      );
      const { headers: asked, raw, routeOptions } = reply.request;
      const { url: route, config } = routeOptions;
      if (raw.url !== undefined && route !== undefined && config.endpoint)
        ready.set(raw.url, { key, route, throttle: config.endpoint.throttle });
      const { headers, bodyHeaders, body } =
        answer.representations[encodingFor(asked['accept-encoding'])];
      reply.headers(headers);
      if (matches(asked['if-none-match'], answer.etag)) return reply.code(304).send();
      return reply.headers(bodyHeaders).send(body);
    },

    ready(url) {
      const found = ready.get(url);
      const answer = found && (values.peek(found.key) as Answer | undefined);
      return answer && { ...found, answer };
    },
  };
}

function serialized(reply: FastifyReply, value: unknown): Buffer {
  const serialize = reply.getSerializationFunction(String(reply.statusCode));
  return Buffer.from(
    serialize ? serialize(value as Record<string, unknown>) : JSON.stringify(value),
  );
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
/** Smaller ones fit into one packet as they are. */
const LEAST_COMPRESSED_BYTES = 1000;

async function prepared(body: Buffer): Promise<Answer> {
  const etag = entityTag(body);
  const as = (encoding: Encoding, encoded: Buffer): Representation => ({
    headers: {
      'cache-control': READER_CACHE,
      vary: 'Origin, Accept-Encoding',
      etag: encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`),
    },
    bodyHeaders: {
      'content-type': 'application/json; charset=utf-8',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      'content-length': String(encoded.length),
    },
    body: encoded,
  });
  const identity = as('identity', body);
  if (body.length < LEAST_COMPRESSED_BYTES)
    return { etag, representations: { br: identity, gzip: identity, identity } };
  const [br, zipped] = await Promise.all([brotli(body, BROTLI), zip(body)]);
  return {
    etag,
    representations: { br: as('br', br), gzip: as('gzip', zipped), identity },
  };
}
