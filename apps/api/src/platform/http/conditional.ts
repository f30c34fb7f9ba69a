/** Conditional requests and encodings (RFC 9110, 12 and 13). */
import { createHash } from 'node:crypto';
import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';

/** For browsers and proxies: short, since they are not notified of changes. */
export const READER_CACHE = 'public, max-age=5, stale-while-revalidate=10';

export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * RFC 9110, 13.1.2: the weak comparison, since a proxy may have made the tag weak. The tag of a compressed answer
 * ends with its encoding.
 */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',')
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/-(br|gzip)"$/, '"'),
    )
    .some((tag) => tag === etag || tag === '*');
}

export type Encoding = 'br' | 'gzip' | 'identity';

const negotiator = new Negotiator({
  supportedValues: ['br', 'gzip'],
  cache: new LRUCache<string, string>({ max: 100 }),
});

export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding {
  return (acceptEncoding && negotiator.negotiate(String(acceptEncoding))) || 'identity';
}
