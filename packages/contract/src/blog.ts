/**
 * The blog. A post has what is published and, beside it, a working copy that
 * saves itself; nothing that is typed is public before somebody publishes it.
 */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { MediaPath } from './media.ts';
import {
  Cursor,
  cursorQuery,
  Id,
  Many,
  maxInteger,
  One,
  Page,
  pageQuery,
  Slug,
  Strict,
  Time,
} from './wire.ts';

const text = (maxLength: number) => Type.String({ maxLength });
const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

/** One word or more, as people read it; its address is made of it. */
export const Tag = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} +&.-]*$',
});

/** What a working copy holds. Half-written is fine: it is judged when it is published. */
export const PostContent = Strict({
  slug: text(80),
  title: text(160),
  /** One or two sentences for lists, feeds and search engines. */
  excerpt: text(400),
  /** HTML, cleaned by the allow-list of packages/markup. */
  body: text(150_000),
  cover: nullable(MediaPath),
  cover_alt: text(300),
  author: text(80),
  tags: Type.Array(Tag, { maxItems: 12 }),
  /** Where the text first appeared, if not here. */
  canonical: nullable(Type.String({ maxLength: 500, pattern: '^https://[^\\s<>"]+$' })),
  meta_title: text(70),
  meta_description: text(200),
  /** JSON-LD, bare or in its script element. */
  head_script: text(20_000),
});
export type PostContent = Static<typeof PostContent>;

export const PostCard = Type.Object({
  slug: Slug,
  title: Type.String(),
  excerpt: Type.String(),
  cover: nullable(MediaPath),
  cover_alt: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  reading_minutes: Type.Integer(),
  published_at: Time,
  updated_at: Time,
});
export type PostCard = Static<typeof PostCard>;

export const PublicPost = Type.Object({
  ...PostCard.properties,
  /** HTML; show it with the same allow-list. */
  body: Type.String(),
  canonical: nullable(Type.String()),
  meta_title: Type.String(),
  meta_description: Type.String(),
  /** Objects of schema.org that the author added. */
  structured: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  related: Type.Array(PostCard),
});
export type PublicPost = Static<typeof PublicPost>;

const TagName = Type.String({ minLength: 1, maxLength: 40 });

export const listPosts = endpoint({
  method: 'GET',
  path: '/api/public/blogs',
  scope: 'public',
  throttle: 'read',
  summary: 'Published posts, the newest first; `tag` and `q` narrow the list.',
  status: 200,
  query: Strict({
    ...pageQuery,
    tag: Type.Optional(TagName),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Page(PostCard),
});

export const listPostTags = endpoint({
  method: 'GET',
  path: '/api/public/blog-tags',
  scope: 'public',
  throttle: 'read',
  summary: 'The tags of published posts, the most used first.',
  status: 200,
  reply: Many(Type.Object({ tag: Type.String(), posts: Type.Integer() })),
});

export const listPostAddresses = endpoint({
  method: 'GET',
  path: '/api/public/blog-addresses',
  scope: 'public',
  throttle: 'read',
  summary: 'The addresses of all published posts, 5,000 at a time, for the site map.',
  status: 200,
  query: Strict({ after: Type.Optional(Slug) }),
  reply: Many(Type.Object({ slug: Slug, updated_at: Time })),
});

/** An address that the post had before answers it too: `data.slug` is where it is now. */
export const getPost = endpoint({
  method: 'GET',
  path: '/api/public/blogs/{slug}',
  scope: 'public',
  throttle: 'read',
  summary: 'One published post with its HTML and three that are related.',
  status: 200,
  params: Strict({ slug: Slug }),
  reply: One(PublicPost),
});

export const getPostPreview = endpoint({
  method: 'GET',
  path: '/api/public/blog-previews/{token}',
  scope: 'public',
  throttle: 'read',
  summary: 'The working copy of a post, for whoever was given its preview link.',
  status: 200,
  params: Strict({ token: Type.String({ maxLength: 200 }) }),
  reply: One(PublicPost),
});

export const postStates = ['draft', 'scheduled', 'published'] as const;
export type PostState = (typeof postStates)[number];

export const PostNote = Type.Object({
  id: Id,
  slug: Type.String(),
  title: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  state: Type.Enum(postStates),
  published_at: nullable(Time),
  /** The working copy says something else than what is published. */
  changed: Type.Boolean(),
  saved_at: Time,
});
export type PostNote = Static<typeof PostNote>;

export const PostDraft = Type.Object({
  ...PostNote.properties,
  /** Of the working copy; each save raises it. */
  version: Type.Integer(),
  content: PostContent,
  /** What the public sees; null before the first publication. */
  published: nullable(PostContent),
  /** Former addresses that lead to the present one. */
  redirects: Type.Array(Type.String()),
  saved_by: nullable(Type.String()),
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
  summary: 'All posts, the one saved last first.',
  status: 200,
  query: Strict({
    ...pageQuery,
    state: Type.Optional(Type.Enum(postStates)),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Page(PostNote),
});

export const createPost = endpoint({
  method: 'POST',
  path: '/api/admin/blogs',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Begins a post: a draft with a title, its address made of it.',
  status: 201,
  body: Strict({ title: Type.String({ minLength: 1, maxLength: 160, pattern: '\\S' }) }),
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

/** The answer's `content` is what was kept: the body cleaned. */
export const saveDraft = endpoint({
  method: 'PUT',
  path: '/api/admin/blogs/{id}/draft',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary:
    'Saves the working copy; `keep` makes a revision of it, else one is made every ten minutes.',
  status: 200,
  params: byId,
  body: Strict({ version, content: PostContent, keep: Type.Optional(Type.Boolean()) }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
});

export const publishPost = endpoint({
  method: 'POST',
  path: '/api/admin/blogs/{id}/publication',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Makes the working copy public, now or at a time to come.',
  status: 200,
  params: byId,
  /** Null: now, or as it was where the post is public already. */
  body: Strict({ version, publish_at: nullable(Time) }),
  reply: One(PostDraft),
  refusals: ['version_conflict'],
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
  reply: One(Type.Object({ ...Revision.properties, content: PostContent })),
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
