/** Conditional requests (RFC 9110, 13). */
import { createHash } from 'node:crypto';

/** For browsers and proxies: short, since they are not notified of changes. */
export const READER_CACHE = 'public, max-age=5, stale-while-revalidate=10';

export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110, 13.1.2: the weak comparison, since a proxy may have made the tag weak. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
