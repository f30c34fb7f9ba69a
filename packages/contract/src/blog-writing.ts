/** The blog as its editors have it: working copies, publishing, revisions, preview links. */
import { Type, type Static } from 'typebox';
import { PostContent } from './blog.ts';
import { endpoint } from './endpoint.ts';
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
  /** The public address; of what is not published, the working copy's. */
  slug: Type.String(),
  title: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  state: Type.Enum(postStates),
  published_at: nullable(Time),
  /** The working copy says something else than what is published; of its text counts what a comparison shows, of blanks those that a browser draws. */
  changed: Type.Boolean(),
  saved_at: Time,
});
export type PostNote = Static<typeof PostNote>;

/** As it is kept: shown whatever the limits were when it was written. */
const KeptPost = Type.Object({
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
  /** Of the working copy; each save raises it. */
  version: Type.Integer(),
  content: KeptPost,
  /** What the public sees; null before the first publication. */
  published: nullable(KeptPost),
  /** Former addresses that lead to the present one. */
  redirects: Type.Array(Type.String()),
  /** Why the working copy's address would be refused at publishing. */
  slug_fault: nullable(Type.Enum(['invalid', 'taken'] as const)),
  /** The post that is, or was, at that address, where it is taken. */
  slug_holder: nullable(
    Type.Object({
      id: Id,
      title: Type.String(),
      /** It has moved on, and this address leads to it. */
      former: Type.Boolean(),
    }),
  ),
  saved_by: nullable(Type.String()),
  saved_by_id: nullable(Id),
  /** Who published it last, or chose its time. */
  published_by: nullable(Type.String()),
  published_by_id: nullable(Id),
  /** Whether scripts other than JSON-LD may be published, and those that are run. */
  scripts_run: Type.Boolean(),
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

/** Of the working copies: a tag counts before it is public. */
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
  summary: 'Begins a post: a draft with a title, its address made of it.',
  status: 201,
  idempotent: 'where_sent',
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

/** The answer's `content` is what was kept: the body cleaned; `removed` names what of it had no place. */
export const saveDraft = endpoint({
  method: 'PUT',
  path: '/api/admin/blogs/{id}/draft',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary:
    'Saves the working copy; `keep` makes a revision of it, else one is made every ten minutes, and of what it takes the place of where that is another editor’s or much of it goes.',
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
  summary:
    'Makes the working copy public, now or at a time to come. With other scripts than before it needs the permission `settings` too and a fresh confirmation.',
  status: 200,
  params: byId,
  /** Null: now, or as it was where the post is public already. */
  body: Strict({ version, publish_at: nullable(PlannedTime) }),
  reply: One(PostDraft),
  refusals: ['version_conflict', 'permission_missing', 'confirmation_required'],
});

export const unpublishPost = endpoint({
  method: 'DELETE',
  path: '/api/admin/blogs/{id}/publication',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Takes a post off the site; its working copy stays.',
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
  summary: 'A link to the working copy for whoever is given it, for three days.',
  status: 200,
  params: byId,
  reply: One(Type.Object({ url: Type.String(), expires_at: Time })),
});

export const revisionReasons = ['saved', 'published', 'restored'] as const;

export const Revision = Type.Object({
  number: Type.Integer(),
  reason: Type.Enum(revisionReasons),
  /** Of the post at that moment. */
  state: Type.Enum(postStates),
  /** From when it was, or was to be, public at that moment. */
  published_at: nullable(Time),
  title: Type.String(),
  author: nullable(Type.String()),
  at: Time,
});
export type Revision = Static<typeof Revision>;

export const listRevisions = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}/revisions',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'What a post has been, the latest first.',
  status: 200,
  params: byId,
  query: Strict(cursorQuery),
  reply: Cursor(Revision),
});

const byNumber = Strict({ id: Id, number: Type.Integer({ minimum: 1, maximum: maxInteger }) });

export const getRevision = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}/revisions/{number}',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'One revision whole.',
  status: 200,
  params: byNumber,
  reply: One(Type.Object({ ...Revision.properties, content: KeptPost })),
});

export const restoreRevision = endpoint({
  method: 'POST',
  path: '/api/admin/blogs/{id}/revisions/{number}/restoration',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Puts a revision into the working copy; what was there becomes a revision itself.',
  status: 200,
  params: byNumber,
  body: Strict({ version }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
});
