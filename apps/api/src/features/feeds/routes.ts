import { createHash, timingSafeEqual } from 'node:crypto';
import { exportFeed, feedOverview } from '@cambist/contract/feeds';
import type { FastifyReply } from 'fastify';
import { read } from '#features/content/settings/settings.ts';
import { notFound } from '#kernel/refusal.ts';
import { isCurrent, READER_CACHE } from '#platform/http/conditional.ts';
import type { Feature } from '#platform/feature.ts';
import { openFeeds, type FeedFile } from './feeds.ts';

/** Shared caches must not store an answer to a key. */
const KEYED_CACHE = 'private, max-age=5';

export const feeds: Feature = {
  name: 'feeds',
  routes(ways, deps) {
    const source = openFeeds(deps);
    ways.public.serve(exportFeed, async ({ params, query, reply }) => {
      const { key } = await read(deps, 'feeds');
      // 404, so that the existence of the files is not revealed.
      if (key !== '' && !isSameKey(query.key ?? '', key)) throw notFound();
      const cache = key === '' ? READER_CACHE : KEYED_CACHE;
      const file = await source.file(params.file);
      return sendFile(reply.header('cache-control', cache), file, deps.clock());
    });
    ways.admin.serve(feedOverview, async () => ({ data: await source.overview() }));
  },
};

function sendFile(reply: FastifyReply, file: FeedFile, now: Date): FastifyReply {
  reply.header('etag', file.etag);
  // It must not be later than the answer itself (RFC 9110, 8.8.2.1).
  if (file.modifiedAt <= now) reply.header('last-modified', file.modifiedAt.toUTCString());
  if (isCurrent(reply.request.headers, file)) return reply.code(304).send();
  return reply.type(file.contentType).send(file.body);
}

/** Compares in constant time. */
function isSameKey(given: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
