import { createHash, timingSafeEqual } from 'node:crypto';
import { exportFeed, feedOverview } from '@cambist/contract/feeds';
import { read } from '#features/content/settings/settings.ts';
import { notFound } from '#kernel/refusal.ts';
import { matches, READER_CACHE } from '#platform/http/conditional.ts';
import type { Feature } from '#platform/feature.ts';
import { feedFile, overview } from './feeds.ts';

/** Shared caches must not store an answer to a key. */
const KEYED_CACHE = 'private, max-age=5';

export const feeds: Feature = {
  name: 'feeds',
  routes(ways, deps) {
    ways.public.serve(exportFeed, async ({ params, query, reply }) => {
      const { key } = await read(deps, 'feeds');
      // 404, so that the existence of the files is not revealed.
      if (key !== '' && !isSameKey(query.key ?? '', key)) throw notFound();
      const { contentType, body, etag } = await feedFile(deps, params.file);
      reply.header('cache-control', key === '' ? READER_CACHE : KEYED_CACHE).header('etag', etag);
      if (matches(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(contentType).send(body);
    });
    ways.admin.serve(feedOverview, async () => ({ data: await overview(deps) }));
  },
};

/** Compares in constant time. */
function isSameKey(given: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
