/** Ways in to the blog: reading for anyone, from memory; writing for who has the permission. */
import {
  getPost as getPostEndpoint,
  getPostPreview,
  listPostAddresses,
  listPostAddressParts,
  listPosts as listPostsEndpoint,
  listPostTags,
} from '@cambist/contract/blog';
import {
  createPost as createEndpoint,
  deletePost as deleteEndpoint,
  getDraft as getDraftEndpoint,
  getRevision as getRevisionEndpoint,
  listDrafts as listDraftsEndpoint,
  listDraftTags as listDraftTagsEndpoint,
  listRevisions as listRevisionsEndpoint,
  makePreviewLink,
  publishPost,
  restoreRevision as restoreEndpoint,
  saveDraft as saveDraftEndpoint,
  unpublishPost,
} from '@cambist/contract/blog-writing';
import { listLegalPageLinks, listPostLinks } from '@cambist/contract/linking';
import type { FastifyReply } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { requireFresh } from '#platform/guards.ts';
import { onceNamed } from '#platform/idempotency.ts';
import type { Ways } from '#platform/serve.ts';
import {
  currentName,
  followsBlog,
  getPost,
  listAddresses,
  listAddressParts,
  listPosts,
  listTags,
} from './blog.ts';
import { getDraft, listDrafts } from './drafts.ts';
import { publishDue } from './due.ts';
import { scriptsRun } from './head-scripts.ts';
import { listLinks, listPageLinks } from './links.ts';
import { makeLink, openLink } from './previews.ts';
import { publish, unpublish } from './publication.ts';
import { getRevision, listRevisions, restoreRevision } from './revisions.ts';
import { createPost, deletePost, saveDraft } from './writing.ts';
import { listDraftTags } from './tag-store.ts';

function reading(ways: Ways, deps: Deps): void {
  async function send(reply: FastifyReply, name: string, build: () => Promise<unknown>) {
    return deps.published.send(reply, await currentName(deps, name), build, followsBlog);
  }

  ways.public.serve(listPostsEndpoint, ({ query, reply }) => {
    if (query.q !== undefined) return listPosts(deps, query);
    const { page = 1, per_page = 0, tag = '' } = query;
    return send(reply, `list ${page} ${per_page} ${tag}`, () => listPosts(deps, query));
  });
  ways.public.serve(listPostTags, ({ reply }) =>
    send(reply, 'tags', async () => ({ data: await listTags(deps) })),
  );
  ways.public.serve(listPostAddresses, ({ query, reply }) =>
    send(reply, `addresses ${query.after ?? ''}`, async () => ({
      data: await listAddresses(deps, query.after),
    })),
  );
  ways.public.serve(listPostAddressParts, ({ reply }) =>
    send(reply, 'address parts', async () => ({ data: await listAddressParts(deps) })),
  );
  ways.public.serve(getPostEndpoint, async ({ params: { slug }, reply }) => {
    const withScripts = await scriptsRun(deps);
    // Kept apart, so that none is sent from memory once they are switched off.
    const name = `post ${slug}${withScripts ? ' with scripts' : ''}`;
    return send(reply, name, async () => ({ data: await getPost(deps, slug, withScripts) }));
  });
  ways.public.serve(getPostPreview, async ({ params }) => ({
    data: await openLink(deps, params.token),
  }));
}

function writing(ways: Ways, deps: Deps): void {
  ways.admin.serve(listDraftsEndpoint, ({ query }) => listDrafts(deps, query));
  ways.admin.serve(listDraftTagsEndpoint, async () => ({ data: await listDraftTags(deps.db) }));
  ways.admin.serve(createEndpoint, (ask) =>
    onceNamed(
      deps,
      createEndpoint,
      ask,
      async (once) => (await createPost(once, ask.actor, ask.origin, ask.body.title)).id,
      async (id) => ({ data: await getDraft(deps, deps.db, id, await scriptsRun(deps)) }),
    ),
  );
  ways.admin.serve(getDraftEndpoint, async ({ params }) => ({
    data: await getDraft(deps, deps.db, params.id, await scriptsRun(deps)),
  }));
  ways.admin.serve(saveDraftEndpoint, async ({ params, body, actor }) => ({
    data: await saveDraft(deps, actor, params.id, body),
  }));
  ways.admin.serve(publishPost, async ({ params, body, actor, origin, request }) => {
    const publishAt = body.publish_at === null ? null : new Date(body.publish_at);
    const demandFresh = () => requireFresh(request.session, deps.clock());
    const plan = { version: body.version, publishAt, demandFresh };
    return { data: await publish(deps, actor, origin, params.id, plan) };
  });
  ways.admin.serve(unpublishPost, async ({ params, actor, origin }) => ({
    data: await unpublish(deps, actor, origin, params.id),
  }));
  ways.admin.serve(deleteEndpoint, ({ params, actor, origin }) =>
    deletePost(deps, actor, origin, params.id),
  );
  ways.admin.serve(listPostLinks, ({ params }) => listLinks(deps, params.id));
  ways.admin.serve(listLegalPageLinks, ({ params }) => listPageLinks(deps, params.id));
  ways.admin.serve(makePreviewLink, async ({ params }) => ({
    data: await makeLink(deps, params.id),
  }));
  ways.admin.serve(listRevisionsEndpoint, ({ params, query }) =>
    listRevisions(deps.db, params.id, query),
  );
  ways.admin.serve(getRevisionEndpoint, async ({ params }) => ({
    data: await getRevision(deps.db, params.id, params.number),
  }));
  ways.admin.serve(restoreEndpoint, async ({ params, body, actor, origin }) => ({
    data: await restoreRevision(deps, actor, origin, { ...params, version: body.version }),
  }));
}

export const blog: Feature = {
  name: 'blog',
  routes(ways, deps) {
    reading(ways, deps);
    writing(ways, deps);
  },
  tasks: (deps) => [publishDue(deps)],
};
