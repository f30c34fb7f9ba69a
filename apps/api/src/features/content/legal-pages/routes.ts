/** Ways in to the legal pages: reading for anyone, from memory; writing for who has the permission. */
import {
  bringBackLegalPage,
  createLegalPage,
  deleteLegalPage,
  getLegalPageCopy,
  getLegalPageDraft,
  getLegalPageVersion,
  listLegalPageDrafts,
  makeLegalPagePreview,
  moveLegalPage,
  orderLegalPages,
  publishLegalPage,
  restoreLegalPage,
  restoreLegalPageCopy,
  saveLegalPage,
  withdrawLegalPage,
} from '@cambist/contract/legal-page-writing';
import { getLegalPage, getLegalPagePreview, listLegalPages } from '@cambist/contract/legal-pages';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/idempotency.ts';
import type { Ways } from '#platform/serve.ts';
import { getCopy } from './copies.ts';
import { getDraft, getVersion, listDrafts } from './drafts.ts';
import { getPublished, LEGAL_PAGES, listPublished } from './legal-pages.ts';
import { makeLink, openLink } from './previews.ts';
import { bringBack, publish, restore, withdraw } from './publication.ts';
import { dayOf } from './standing.ts';
import { createPage, deletePage, movePage, orderPages, savePage } from './writing.ts';

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
    data: await openLink(deps, params.token),
  }));
}

function writing(ways: Ways, deps: Deps): void {
  ways.admin.serve(listLegalPageDrafts, async () => ({ data: await listDrafts(deps) }));
  ways.admin.serve(createLegalPage, (ask) =>
    onceNamed(
      deps,
      createLegalPage,
      ask,
      async (once) => (await createPage(once, ask.actor, ask.origin, ask.body)).id,
      async (id) => ({ data: await getDraft(deps, deps.db, id) }),
    ),
  );
  ways.admin.serve(orderLegalPages, async ({ body, actor, origin }) => {
    await orderPages(deps, actor, origin, body.ids);
    return { data: await listDrafts(deps) };
  });
  ways.admin.serve(getLegalPageDraft, async ({ params }) => ({
    data: await getDraft(deps, deps.db, params.id),
  }));
  ways.admin.serve(saveLegalPage, async ({ params, body, actor, origin }) => ({
    data: await savePage(deps, actor, origin, params.id, body),
  }));
  ways.admin.serve(moveLegalPage, async ({ params, body, actor, origin }) => ({
    data: await movePage(deps, actor, origin, params.id, body),
  }));
  ways.admin.serve(publishLegalPage, (ask) =>
    onceNamed(
      deps,
      publishLegalPage,
      ask,
      async (once) =>
        (await publish(once, ask.actor, ask.origin, ask.params.id, ask.body.version)).id,
      async (id) => ({ data: await getDraft(deps, deps.db, id) }),
    ),
  );
  ways.admin.serve(bringBackLegalPage, async ({ params, actor, origin }) => ({
    data: await bringBack(deps, actor, origin, params.id),
  }));
  ways.admin.serve(withdrawLegalPage, async ({ params, actor, origin }) => ({
    data: await withdraw(deps, actor, origin, params.id),
  }));
  ways.admin.serve(deleteLegalPage, ({ params, actor, origin }) =>
    deletePage(deps, actor, origin, params.id),
  );
  ways.admin.serve(makeLegalPagePreview, async ({ params }) => ({
    data: await makeLink(deps, params.id),
  }));
  ways.admin.serve(getLegalPageVersion, async ({ params }) => ({
    data: await getVersion(deps.db, params.id, params.number),
  }));
  ways.admin.serve(restoreLegalPage, async ({ params, body, actor, origin }) => ({
    data: await restore(deps, actor, origin, {
      ...params,
      from: 'version',
      version: body.version,
    }),
  }));
  ways.admin.serve(getLegalPageCopy, async ({ params }) => ({
    data: await getCopy(deps.db, params.id, params.number),
  }));
  ways.admin.serve(restoreLegalPageCopy, async ({ params, body, actor, origin }) => ({
    data: await restore(deps, actor, origin, { ...params, from: 'copy', version: body.version }),
  }));
}

export const legalPages: Feature = {
  name: 'legal-pages',
  routes(ways, deps) {
    reading(ways, deps);
    writing(ways, deps);
  },
};
