/**
 * The blog. A post has what is published and, beside it, a working copy that
 * saves itself; nothing that is typed is public before somebody publishes it.
 */
import { Type, type Static } from 'typebox';
import { endpoint, publicReads } from './endpoint.ts';
import { MediaPath } from './media.ts';
import { isVisible, visibleCharacter } from './visible-text.ts';
import { Id, Many, nullable, One, Page, pageQuery, Slug, Strict, Time } from './wire.ts';

const text = (maxLength: number) => Type.String({ maxLength });

/**
 * Signs that a tag may have, with the joiners of Persian and Malayalam, the marks of Hebrew
 * shortenings and the Japanese dot. A slash is none of them, since proxies take it for another address.
 */
const tagSigns = "\\p{L}\\p{M}\\p{N} +&.'’#()\\u200c\\u200d\\u05f3\\u05f4\\u30fb-";
export const maxTagLength = 40;
export const maxTags = 12;
/** One word or more, as people read it; its address is made of it. The first sign is one that is seen. */
export const Tag = Type.String({
  minLength: 1,
  maxLength: maxTagLength,
  pattern: `^(?=${visibleCharacter})[\\p{L}\\p{N}][${tagSigns}]*$`,
});

/** The first sign of a text that keeps it from being a tag, or null. */
export function refusedTagSign(text: string): string | null {
  const [first] = text;
  if (first !== undefined && !(isVisible(first) && /[\p{L}\p{N}]/u.test(first))) return first;
  return new RegExp(`[^${tagSigns}]`, 'u').exec(text)?.[0] ?? null;
}

/** Characters of a post's HTML, as it is after cleaning. */
export const maxPostBody = 150_000;
/** Of an original address as it is stored: encoded. */
export const maxCanonical = 500;

/** What a working copy holds. Half-written is fine: it is judged when it is published. */
export const PostContent = Strict({
  slug: text(80),
  title: text(160),
  /** One or two sentences for lists, feeds and search engines. */
  excerpt: text(400),
  /** HTML, cleaned by the allow-list of packages/html. */
  body: text(maxPostBody),
  cover: nullable(MediaPath),
  cover_alt: text(300),
  author: text(80),
  tags: Type.Array(Tag, { maxItems: maxTags }),
  /** Where the text first appeared, if not here. */
  canonical: nullable(Type.String({ maxLength: maxCanonical, pattern: '^https://[^\\s<>"]+$' })),
  meta_title: text(70),
  meta_description: text(200),
  /** JSON-LD, bare or in its script element. */
  head_script: text(20_000),
});
export type PostContent = Static<typeof PostContent>;

export const PostCard = Type.Object({
  /** Stays when the address changes, so that readers of feeds see a post once. */
  id: Id,
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
  /** The cover as JPEG, or PNG where it is see-through: for link previews. */
  cover_fallback: nullable(Type.String()),
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
  ...publicReads,
  path: '/api/public/blogs',
  summary: 'Published posts, the newest first; `tag` and `q` narrow the list.',
  query: Strict({
    ...pageQuery,
    tag: Type.Optional(TagName),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Page(PostCard),
});

export const listPostTags = endpoint({
  ...publicReads,
  path: '/api/public/blog-tags',
  summary: 'The tags of published posts, the most used first.',
  reply: Many(Type.Object({ tag: Type.String(), posts: Type.Integer() })),
});

export const listPostAddresses = endpoint({
  ...publicReads,
  path: '/api/public/blog-addresses',
  summary:
    'The addresses of published posts for the site map, the newest 10,000. A post that first appeared elsewhere is left out.',
  reply: Many(Type.Object({ slug: Slug, updated_at: Time })),
});

/** An address that the post had before answers it too: `data.slug` is where it is now. */
export const getPost = endpoint({
  ...publicReads,
  path: '/api/public/blogs/{slug}',
  summary: 'One published post with its HTML and three that are related.',
  params: Strict({ slug: Slug }),
  reply: One(PublicPost),
});

export const getPostPreview = endpoint({
  ...publicReads,
  path: '/api/public/blog-previews/{token}',
  summary: 'The working copy of a post, for whoever was given its preview link.',
  params: Strict({ token: Type.String({ maxLength: 200 }) }),
  reply: One(PublicPost),
});
