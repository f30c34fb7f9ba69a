/** The blog for its editors: drafts, publishing, revisions, preview links. */
import { Type, type Static } from 'typebox';
import { PostContent } from './blog.ts';
import { endpoint } from './endpoint.ts';
import { Revision, RevisionNumber, RevisionOf } from './revisions.ts';
import { PlannedTime } from './schedule.ts';
import {
  Cursor,
  cursorQuery,
  Id,
  Many,
  maxInteger,
  One,
  Page,
  pageQuery,
  Strict,
  Time,
  Words,
} from './wire.ts';

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

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

/** As stored: shown whatever the limits were when it was written. */
const StoredPost = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  excerpt: Type.String(),
  body: Type.String(),
  cover: nullable(Type.String()),
  cover_alt: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  canonical: nullable(Type.String()),
  meta_title: Type.String(),
  meta_description: Type.String(),
  head_script: Type.String(),
});

export const PostDraft = Type.Object({
  ...PostNote.properties,
  /** Of the draft; each save raises it. */
  version: Type.Integer(),
  content: StoredPost,
  /** What the public sees; null before the first publication. */
  published: nullable(StoredPost),
  /** Former addresses that lead to the present one. */
  redirects: Type.Array(Type.String()),
  saved_by: nullable(Type.String()),
  /** Who published it last, or chose its time. */
  published_by: nullable(Type.String()),
});
export type PostDraft = Static<typeof PostDraft>;

const byId = Strict({ id: Id });
const version = Type.Integer({ minimum: 1, maximum: maxInteger });

export const listDrafts = endpoint({
  method: 'GET',
  path: '/api/admin/blogs',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'All posts, the one saved last first. A search counts to a thousand.',
  status: 200,
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
  method: 'GET',
  path: '/api/admin/blog-tags',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'The tags of all posts, the most used first.',
  status: 200,
  reply: Many(Type.Object({ tag: Type.String(), posts: Type.Integer() })),
});

export const createPost = endpoint({
  method: 'POST',
  path: '/api/admin/blogs',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Creates a post: a draft with a title, its address made of it.',
  status: 201,
  body: Strict({ title: Words(1, 160) }),
  reply: One(PostDraft),
});

export const getDraft = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'One post for its editor.',
  status: 200,
  params: byId,
  reply: One(PostDraft),
});

/** The answer's `content` is what was stored: the body cleaned; `removed` names the elements and attributes that were removed. */
export const saveDraft = endpoint({
  method: 'PUT',
  path: '/api/admin/blogs/{id}/draft',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary:
    'Saves the draft. An editor’s saves within ten minutes are one revision; `keep` makes a revision of this one.',
  status: 200,
  params: byId,
  longText: true,
  body: Strict({ version, content: PostContent, keep: Type.Optional(Type.Boolean()) }),
  reply: One(Type.Object({ ...PostDraft.properties, removed: Type.Array(Type.String()) })),
  refusals: ['version_conflict'],
});

export const publishPost = endpoint({
  method: 'POST',
  path: '/api/admin/blogs/{id}/publication',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Makes the draft public, now or at a time to come.',
  status: 200,
  params: byId,
  /** Null: now, or as it was where the post is public already. */
  body: Strict({ version, publish_at: nullable(PlannedTime) }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
});

export const unpublishPost = endpoint({
  method: 'DELETE',
  path: '/api/admin/blogs/{id}/publication',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Takes a post off the site; its draft stays.',
  status: 200,
  params: byId,
  reply: One(PostDraft),
});

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/admin/blogs/{id}',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Deletes a post with all its revisions, for good.',
  status: 204,
  params: byId,
});

export const makePreviewLink = endpoint({
  method: 'POST',
  path: '/api/admin/blogs/{id}/preview-link',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'A link to the draft that works without an account, for three days.',
  status: 200,
  params: byId,
  reply: One(Type.Object({ url: Type.String(), expires_at: Time })),
});

export const listRevisions = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}/revisions',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'The revisions of a post, the latest first.',
  status: 200,
  params: byId,
  query: Strict(cursorQuery),
  reply: Cursor(Revision),
});

const byNumber = Strict({ id: Id, number: RevisionNumber });

export const getRevision = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}/revisions/{number}',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'One revision of a post with its content.',
  status: 200,
  params: byNumber,
  reply: One(RevisionOf(StoredPost)),
});

export const restoreRevision = endpoint({
  method: 'POST',
  path: '/api/admin/blogs/{id}/revisions/{number}/restoration',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Puts a revision into the draft; nothing public changes.',
  status: 200,
  params: byNumber,
  body: Strict({ version }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
});
