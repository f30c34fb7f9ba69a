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

/** The three forms of a date in RFC 9110, 5.6.7, all in GMT. */
const httpDate =
  /^(\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT|\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** RFC 9110, 13.2.2: a tag takes precedence over a date; an invalid date is ignored. */
export function isCurrent(
  headers: {
    readonly 'if-none-match'?: string | undefined;
    readonly 'if-modified-since'?: string | undefined;
  },
  { etag, modifiedAt }: { readonly etag: string; readonly modifiedAt: Date },
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return matches(tags, etag);
  if (since === undefined || !httpDate.test(since)) return false;
  // The oldest form names no zone and means GMT.
  const time = Date.parse(since.endsWith('GMT') ? since : `${since} GMT`);
  return Math.floor(modifiedAt.getTime() / 1000) * 1000 <= time;
}
