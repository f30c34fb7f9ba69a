/** Ways in to the legal pages: the published ones, for anyone, from memory. */
import { getLegalPage, listLegalPages } from '@cambist/contract/legal-pages';
import type { Feature } from '#platform/feature.ts';
import { getPublished, LIST_NAME, listPublished, pageName } from './legal-pages.ts';

export const legalPages: Feature = {
  name: 'legal-pages',
  routes(ways, { db, published }) {
    ways.public.serve(listLegalPages, ({ reply }) =>
      published.send(reply, LIST_NAME, async () => ({ data: await listPublished(db) })),
    );
    ways.public.serve(getLegalPage, ({ params, reply }) =>
      published.send(reply, pageName(params.slug), async () => ({
        data: await getPublished(db, params.slug),
      })),
    );
  },
};
