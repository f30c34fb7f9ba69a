/**
 * Pages for guests, ready to send: one for each address, theme and language, compressed once. They are sent before
 * SvelteKit is asked. All are dropped when a public answer of the API changes; none is older than a few seconds,
 * because rates grow old and pages say how long ago something was. Pages with a query are not stored.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';

type Encoding = 'br' | 'gzip' | 'identity';

interface Representation {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Of a 200 and of a 304, as `writeHead` takes them: name, value, name, value …. */
  readonly flat: readonly string[];
  readonly flatUnchanged: readonly string[];
}

interface ReadyPage {
  readonly hash: string;
  readonly representations: Readonly<Record<Encoding, Representation>>;
}

export interface Rendered {
  readonly headers: Headers;
  readonly body: Buffer;
}

interface Rendering {
  readonly key: string;
  readonly generation: number;
  end(page: ReadyPage | null): void;
}

export interface ReadyPages {
  /** Sends the page, after its rendering where that has begun, or calls `next`. */
  answer(req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void>;
  /** Stores what `next` has rendered for this request; null where it was not to be stored. */
  store(req: IncomingMessage, rendered: Rendered): Promise<Representation | null>;
  /** Something in the pages may have changed. Where changes are not followed, none is stored from now on. */
  drop(isFollowing: boolean): void;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 10_000;
/** What was not to be stored, such as a page with a stamped form, is not waited for. */
const MAX_OTHERS = 1000;
const SHARED_CACHE = 'public, max-age=0, s-maxage=5, stale-while-revalidate=15';
const OWN_HEADERS = new Set(['cache-control', 'content-length', 'etag', 'vary', 'x-request-id']);

/**
 * `variantOf`: what a page differs by for these cookies; null for a visitor with a session.
 */
export function openReadyPages(variantOf: (cookies: string) => string | null): ReadyPages {
  const pages = new LRUCache<string, ReadyPage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ representations: { br, gzip: zipped, identity } }) =>
      br.body.length + zipped.body.length + identity.body.length,
    ttl: MAX_AGE_MS,
  });
  const others = new LRUCache<string, true>({ max: MAX_OTHERS, ttl: MAX_AGE_MS });
  const running = new Map<string, Promise<ReadyPage | null>>();
  const renderings = new WeakMap<IncomingMessage, Rendering>();
  let generation = 0;
  let isFollowing = false;

  function keyOf({ method, url = '', headers }: IncomingMessage): string | null {
    if (!isFollowing || (method !== 'GET' && method !== 'HEAD') || url.includes('?')) return null;
    const variant = variantOf(headers.cookie ?? '');
    return variant === null ? null : `${variant} ${url}`;
  }

  function begin(key: string, req: IncomingMessage, res: ServerResponse): void {
    const { promise, resolve } = Promise.withResolvers<ReadyPage | null>();
    running.set(key, promise);
    const end = (page: ReadyPage | null) => {
      if (running.get(key) === promise) running.delete(key);
      renderings.delete(req);
      resolve(page);
    };
    renderings.set(req, { key, generation, end });
    res.once('close', () => {
      if (!renderings.has(req)) return;
      if (res.writableFinished) others.set(key, true);
      end(null);
    });
  }

  return {
    async answer(req, res, next) {
      const key = keyOf(req);
      if (key === null || others.has(key)) return next();
      const rendering = running.get(key);
      const page = pages.get(key) ?? (await rendering);
      if (page) return send(req, res, page);
      // What answers HEAD may have no body.
      if (rendering === undefined && req.method === 'GET') begin(key, req, res);
      next();
    },

    async store(req, rendered) {
      const rendering = renderings.get(req);
      if (rendering === undefined) return null;
      const page = await prepare(rendered);
      if (rendering.generation === generation) pages.set(rendering.key, page);
      rendering.end(page);
      return page.representations[preferred(req.headers['accept-encoding'])];
    },

    drop(isFollowed) {
      isFollowing = isFollowed;
      generation += 1;
      pages.clear();
      others.clear();
      running.clear();
    },
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** The level at which a page takes some milliseconds; the highest takes a quarter of a second for one in twenty bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

async function prepare({ headers, body }: Rendered): Promise<ReadyPage> {
  const hash = createHash('sha256').update(body).digest('base64url');
  const own = [...headers].filter(([name]) => !OWN_HEADERS.has(name));
  const [br, zipped] = await Promise.all([brotli(body, BROTLI), zip(body)]);
  const as = (encoding: Encoding, encoded: Buffer): Representation => {
    const common = [
      ['etag', encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`],
      ['cache-control', SHARED_CACHE],
      ['vary', 'accept-encoding, cookie'],
      ...own,
    ] as const;
    const whole = [
      ...common,
      ['content-length', String(encoded.length)],
      ...(encoding === 'identity' ? [] : ([['content-encoding', encoding]] as const)),
    ] as const;
    return { headers: whole, body: encoded, flat: whole.flat(), flatUnchanged: common.flat() };
  };
  const representations = {
    br: as('br', br),
    gzip: as('gzip', zipped),
    identity: as('identity', body),
  };
  return { hash, representations };
}

function send(req: IncomingMessage, res: ServerResponse, page: ReadyPage): void {
  const { headers, method } = req;
  const { flat, flatUnchanged, body } = page.representations[preferred(headers['accept-encoding'])];
  const id = ['x-request-id', requestIdOf(headers['x-request-id'])];
  // Whatever encoding the client has it in.
  if (headers['if-none-match']?.includes(page.hash)) {
    res.writeHead(304, [...flatUnchanged, ...id]).end();
  } else {
    res.writeHead(200, [...flat, ...id]).end(method === 'HEAD' ? undefined : body);
  }
}

const negotiator = new Negotiator({ supportedValues: ['br', 'gzip'] });

function preferred(offer: string | string[] = ''): Encoding {
  return negotiator.negotiate(String(offer)) ?? 'identity';
}

/** The caller's own id where it can be one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}
