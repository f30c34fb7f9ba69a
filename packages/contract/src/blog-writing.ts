/** The blog for its editors: drafts, publishing, revisions, preview links. */
import { Type, type Static } from 'typebox';
import { PostContent } from './blog.ts';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { byId, revisionEndpoints } from './revisions.ts';
import { PlannedTime } from './schedule.ts';
import { Id, Many, nullable, One, Page, pageQuery, Strict, Time, Version, Words } from './wire.ts';

export const postStates = ['draft', 'scheduled', 'published'] as const;
export type PostState = (typeof postStates)[number];

export const PostNote = Type.Object({
  id: Id,
  /** The public address; of what is not published, the draft's. */
  slug: Type.String(),
  title: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  state: Type.Enum(postStates),
  published_at: nullable(Time),
  /** The draft differs from what is published. */
  changed: Type.Boolean(),
  saved_at: Time,
});
export type PostNote = Static<typeof PostNote>;

export const PostDraft = Type.Object({
  ...PostNote.properties,
  /** Of the draft; each save raises it. */
  version: Type.Integer(),
  content: PostContent,
  /** What the public sees; null before the first publication. */
  published: nullable(PostContent),
  /** Former addresses that lead to the present one. */
  redirects: Type.Array(Type.String()),
  saved_by: nullable(Type.String()),
  /** Who published it last, or chose its time. */
  published_by: nullable(Type.String()),
});
export type PostDraft = Static<typeof PostDraft>;

export const listDrafts = endpoint({
  ...adminReads('content'),
  path: '/api/admin/blogs',
  summary: 'All posts, the one saved last first. A search counts to a thousand.',
  query: Strict({
    ...pageQuery,
    state: Type.Optional(Type.Enum(postStates)),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Page(PostNote),
});

/** Of drafts: a tag counts before it is public. */
export const listDraftTags = endpoint({
  ...adminReads('content'),
  path: '/api/admin/blog-tags',
  summary: 'The tags of all posts, the most used first.',
  reply: Many(Type.Object({ tag: Type.String(), posts: Type.Integer() })),
});

export const createPost = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/blogs',
  summary: 'Creates a post: a draft with a title, its address made of it.',
  status: 201,
  body: Strict({ title: Words(1, 160) }),
  reply: One(PostDraft),
});

export const getDraft = endpoint({
  ...adminReads('content'),
  path: '/api/admin/blogs/{id}',
  summary: 'One post for its editor.',
  params: byId,
  reply: One(PostDraft),
});

/** The answer's `content` is what was stored: the body cleaned; `removed` names the elements and attributes that were removed. */
export const saveDraft = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: '/api/admin/blogs/{id}/draft',
  summary: 'Saves the draft. An editor’s saves within ten minutes are one revision.',
  params: byId,
  longText: true,
  body: Strict({ version: Version, content: PostContent }),
  reply: One(Type.Object({ ...PostDraft.properties, removed: Type.Array(Type.String()) })),
  refusals: ['version_conflict'],
});

export const publishPost = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/blogs/{id}/publication',
  summary: 'Makes the draft public, now or at a time to come.',
  params: byId,
  /** Null: now, or as it was where the post is public already. */
  body: Strict({ version: Version, publish_at: nullable(PlannedTime) }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
});

export const unpublishPost = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/blogs/{id}/publication',
  summary: 'Takes a post off the site; its draft stays.',
  params: byId,
  reply: One(PostDraft),
});

export const deletePost = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/blogs/{id}',
  summary: 'Deletes a post with all its revisions, for good.',
  status: 204,
  params: byId,
});

export const { makePreviewLink, listRevisions, getRevision, restoreRevision } = revisionEndpoints(
  '/api/admin/blogs/{id}',
  'post',
  PostContent,
  PostDraft,
);
