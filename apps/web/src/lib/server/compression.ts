/**
 * Compresses what the server writes for guests: the home page is 110 kB of text,
 * half a second on a slow phone. Files are compressed when the site is built.
 * Answers to signed-in people stay as they are, since the length of a compressed
 * text tells something about the secrets in it.
 */
const compressible = /^(text\/(html|plain)|application\/(json|xml|rss\+xml|atom\+xml))\b/;
// An offer with the weight 0 is a refusal.
const gzip = /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/;

/** The answer in the encoding that the request accepts; the same answer when there is none. */
export function compressed(request: Request, response: Response): Response {
  const { headers, body, status, statusText } = response;
  if (body === null || headers.has('content-encoding')) return response;
  if (!compressible.test(headers.get('content-type') ?? '')) return response;
  headers.append('vary', 'accept-encoding');
  const offers = request.headers.get('accept-encoding')?.split(',') ?? [];
  if (!offers.some((offer) => gzip.test(offer))) return response;

  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  // Other bytes are another representation, so they need a tag of their own.
  const tag = headers.get('etag');
  if (tag !== null) headers.set('etag', tag.replace(/"$/, '-gzip"'));
  return new Response(body.pipeThrough(new CompressionStream('gzip')), {
    headers,
    status,
    statusText,
  });
}
