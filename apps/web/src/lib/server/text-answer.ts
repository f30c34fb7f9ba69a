/** Sends a text that is the same for everyone, with an ETag. */
import { createHash } from 'node:crypto';

export function textAnswer(
  request: Request,
  text: string,
  headers: { readonly 'content-type': string; readonly 'cache-control': string },
): Response {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const { 'content-type': type, ...cache } = headers;
  const marked = { ...cache, etag: `"${tag}"` };
  if (isKnown(request.headers.get('if-none-match'), tag)) {
    return new Response(null, { status: 304, headers: marked });
  }
  return new Response(text, { headers: { ...marked, 'content-type': `${type}; charset=utf-8` } });
}

/** The compressed answer has the same tag with a suffix. */
function isKnown(given: string | null, tag: string): boolean {
  const tags = given?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return tags.some((each) => each === '*' || each === `"${tag}"` || each === `"${tag}-gzip"`);
}
