/** Routes of the blog: public reads, cached; writing with the permission `content`. */
import {
  getPost as getPostEndpoint,
  getPostPreview,
  listPostAddresses,
  listPosts as listPostsEndpoint,
  listPostTags,
  type PostContent,
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
import { listPostLinks } from '@cambist/contract/linking';
import type { FastifyReply } from 'fastify';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { listRedirects } from '#features/content/address-store.ts';
import { getRevision, listRevisions, previewedId, previewLink } from '#features/content/drafts.ts';
import { listLinks } from '#features/content/link-store.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/http/serve.ts';
import {
  currentName,
  followsBlog,
  getPost,
  listAddresses,
  listPosts,
  listTags,
  postOf,
} from './blog.ts';
import { getDraft, listDrafts, subjectOf } from './drafts.ts';
import { publishDue } from './due.ts';
import { publish, unpublish } from './publication.ts';
import { findPost } from './writing-store.ts';
import { createPost, deletePost, restoreRevision, saveDraft } from './writing.ts';
import { listTags as listUsedTags } from './tag-store.ts';

const previews = { purpose: 'post preview', path: '/blog/preview/' };

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
  ways.public.serve(listPostAddresses, ({ reply }) =>
    send(reply, 'addresses', async () => ({ data: await listAddresses(deps) })),
  );
  ways.public.serve(getPostEndpoint, ({ params: { slug }, reply }) =>
    send(reply, `post ${slug}`, async () => ({ data: await getPost(deps, slug) })),
  );
  ways.public.serve(getPostPreview, async ({ params }) => {
    const row = await existing(deps, previewedId(deps, previews, params.token));
    const published_at = row.published_at ?? deps.clock();
    const asPublished = { ...row, ...row.draft, published_at, updated_at: row.saved_at };
    return { data: await postOf(deps.db, asPublished, []) };
  });
}

/** @throws {Refusal} 404 */
async function existing({ db }: Pick<Deps, 'db'>, id: Id) {
  const row = await findPost(db, id);
  if (row === undefined) throw notFound();
  return row;
}

function writing(ways: Ways, deps: Deps): void {
  ways.admin.serve(listDraftsEndpoint, ({ query }) => listDrafts(deps, query));
  ways.admin.serve(listDraftTagsEndpoint, async () => ({
    data: await listUsedTags(deps.db, 'drafts', deps.clock()),
  }));
  ways.admin.serve(createEndpoint, async ({ body, actor, origin }) => ({
    data: await createPost(deps, { actor, origin }, body.title),
  }));
  ways.admin.serve(getDraftEndpoint, async ({ params }) => ({
    data: await getDraft(deps, deps.db, params.id),
  }));
  ways.admin.serve(saveDraftEndpoint, async ({ params, body, actor }) => ({
    data: await saveDraft(deps, actor, params.id, body),
  }));
  ways.admin.serve(publishPost, async ({ params, body, actor, origin }) => {
    const publishAt = body.publish_at === null ? null : new Date(body.publish_at);
    const plan = { version: body.version, publishAt };
    return { data: await publish(deps, { actor, origin }, params.id, plan) };
  });
  ways.admin.serve(unpublishPost, async ({ params, actor, origin }) => ({
    data: await unpublish(deps, { actor, origin }, params.id),
  }));
  ways.admin.serve(deleteEndpoint, ({ params, actor, origin }) =>
    deletePost(deps, { actor, origin }, params.id),
  );
  ways.admin.serve(listPostLinks, async ({ params: { id } }) => {
    const { slug } = await existing(deps, id);
    const slugs = [slug, ...(await listRedirects(deps.db, 'post', id))];
    return listLinks(deps, { id, paths: slugs.map((each) => `/blog/${each}`) });
  });
  ways.admin.serve(makePreviewLink, async ({ params }) => {
    const { id } = await existing(deps, params.id);
    return { data: previewLink(deps, previews, id) };
  });
  ways.admin.serve(listRevisionsEndpoint, async ({ params, query }) => {
    const { id } = await existing(deps, params.id);
    return listRevisions(deps.db, subjectOf(id), query);
  });
  ways.admin.serve(getRevisionEndpoint, async ({ params }) => ({
    data: await getRevision<PostContent>(deps.db, subjectOf(params.id), params.number),
  }));
  ways.admin.serve(restoreEndpoint, async ({ params, body, actor, origin }) => ({
    data: await restoreRevision(deps, { actor, origin }, { ...params, version: body.version }),
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
