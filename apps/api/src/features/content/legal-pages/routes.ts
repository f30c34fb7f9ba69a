/** Routes of the legal pages: public reads, cached; writing with the permission `content`. */
import {
  bringBackLegalPage,
  createLegalPage,
  deleteLegalPage,
  getLegalPageDraft,
  getLegalPageRevision,
  listLegalPageDrafts,
  listLegalPageRevisions,
  makeLegalPagePreview,
  moveLegalPage,
  orderLegalPages,
  publishLegalPage,
  restoreLegalPageRevision,
  saveLegalPage,
  withdrawLegalPage,
  type LegalPageContent,
} from '@cambist/contract/legal-page-writing';
import { getLegalPage, getLegalPagePreview, listLegalPages } from '@cambist/contract/legal-pages';
import { listLegalPageLinks } from '@cambist/contract/linking';
import { getRevision, listRevisions, previewedId, previewLink } from '#features/content/drafts.ts';
import { listLinks } from '#features/content/link-store.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/http/serve.ts';
import { getDraft, listDrafts, subjectOf } from './drafts.ts';
import {
  addressesOf,
  draftAsPublished,
  getPublished,
  LEGAL_PAGES,
  listPublished,
} from './legal-pages.ts';
import { bringBack, publish, withdraw } from './publication.ts';
import { dayOf } from './version-state.ts';
import {
  createPage,
  deletePage,
  movePage,
  orderPages,
  restoreRevision,
  savePage,
} from './writing.ts';

const previews = { purpose: 'legal page preview', path: '/legal-preview/' };
const follows = { follows: [LEGAL_PAGES] };

function reading(ways: Ways, deps: Deps): void {
  // A new day has answers of its own: a version is in force from its first second on.
  const today = (name: string) => `${name} on ${dayOf(deps.clock())}`;
  ways.public.serve(listLegalPages, ({ reply }) =>
    deps.published.send(reply, today(LEGAL_PAGES), () => listPublished(deps), follows),
  );
  ways.public.serve(getLegalPage, ({ params: { slug }, query: { version }, reply }) =>
    deps.published.send(
      reply,
      today(`legal-page ${slug} ${version ?? ''}`),
      async () => ({ data: await getPublished(deps, slug, version) }),
      follows,
    ),
  );
  ways.public.serve(getLegalPagePreview, async ({ params }) => ({
    data: await draftAsPublished(deps, previewedId(deps, previews, params.token)),
  }));
}

function writing(ways: Ways, deps: Deps): void {
  ways.admin.serve(listLegalPageDrafts, async () => ({ data: await listDrafts(deps) }));
  ways.admin.serve(createLegalPage, async ({ body, actor, origin }) => ({
    data: await createPage(deps, { actor, origin }, body),
  }));
  ways.admin.serve(orderLegalPages, async ({ body, actor, origin }) => {
    await orderPages(deps, { actor, origin }, body.ids);
    return { data: await listDrafts(deps) };
  });
  ways.admin.serve(getLegalPageDraft, async ({ params }) => ({
    data: await getDraft(deps, deps.db, params.id),
  }));
  ways.admin.serve(saveLegalPage, async ({ params, body, actor, origin }) => ({
    data: await savePage(deps, { actor, origin }, params.id, body),
  }));
  ways.admin.serve(moveLegalPage, async ({ params, body, actor, origin }) => ({
    data: await movePage(deps, { actor, origin }, params.id, body),
  }));
  ways.admin.serve(publishLegalPage, async ({ params, body, actor, origin }) => ({
    data: await publish(deps, { actor, origin }, params.id, body.version),
  }));
  ways.admin.serve(bringBackLegalPage, async ({ params, actor, origin }) => ({
    data: await bringBack(deps, { actor, origin }, params.id),
  }));
  ways.admin.serve(withdrawLegalPage, async ({ params, actor, origin }) => ({
    data: await withdraw(deps, { actor, origin }, params.id),
  }));
  ways.admin.serve(deleteLegalPage, ({ params, actor, origin }) =>
    deletePage(deps, { actor, origin }, params.id),
  );
}

function history(ways: Ways, deps: Deps): void {
  ways.admin.serve(listLegalPageLinks, async ({ params: { id } }) => {
    const slugs = await addressesOf(deps.db, id);
    const { data } = await listLinks(deps, { id, paths: slugs.map((slug) => `/${slug}`) });
    // The footer, whose links are the only ones in settings, leaves out pages that are off the site.
    return { data: data.filter(({ kind }) => kind !== 'settings') };
  });
  ways.admin.serve(makeLegalPagePreview, async ({ params: { id } }) => {
    await addressesOf(deps.db, id);
    return { data: previewLink(deps, previews, id) };
  });
  ways.admin.serve(listLegalPageRevisions, async ({ params: { id }, query }) => {
    await addressesOf(deps.db, id);
    return listRevisions(deps.db, subjectOf(id), query);
  });
  ways.admin.serve(getLegalPageRevision, async ({ params: { id, number } }) => ({
    data: await getRevision<LegalPageContent>(deps.db, subjectOf(id), number),
  }));
  ways.admin.serve(restoreLegalPageRevision, async ({ params, body, actor, origin }) => ({
    data: await restoreRevision(deps, { actor, origin }, { ...params, version: body.version }),
  }));
}

export const legalPages: Feature = {
  name: 'legal-pages',
  routes(ways, deps) {
    reading(ways, deps);
    writing(ways, deps);
    history(ways, deps);
  },
};
