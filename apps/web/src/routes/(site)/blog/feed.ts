/** The newest posts as RSS 2.0. Addresses are absolute, and a post keeps its identity when it moves. Pure. */
import type { PostCard } from '@cambist/contract/blog';
import { xmlDocument, xmlText } from '#lib/server/site-map/xml.ts';
import { changedAt } from './changed-at.ts';

export interface Feed {
  readonly origin: string;
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** Newest first. */
  readonly posts: readonly PostCard[];
}

/** For an empty feed: a time that does not change. */
const NEVER = new Date(0).toISOString();
/** Minutes until a feed reader may ask again. */
const TTL_MINUTES = 15;

export function rss({ origin, title, description, language, posts }: Feed): string {
  const items = posts.map((post) =>
    [
      '<item>',
      element('title', post.title),
      element('link', addressOf(origin, post)),
      `<guid isPermaLink="false">urn:uuid:${post.id}</guid>`,
      element('pubDate', new Date(post.published_at).toUTCString()),
      ...(post.author ? [element('dc:creator', post.author)] : []),
      ...post.tags.map((tag) => element('category', tag)),
      // Feed readers expect HTML here, so text is escaped twice.
      element('description', xmlText(post.excerpt || post.title)),
      '</item>',
    ].join('\n'),
  );
  return xmlDocument([
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', title),
    element('link', new URL('/blog', origin).href),
    element('description', description),
    element('language', language),
    element('lastBuildDate', new Date(lastChange(posts)).toUTCString()),
    element('ttl', String(TTL_MINUTES)),
    `<atom:link href="${xmlText(new URL('/blog/rss.xml', origin).href)}" rel="self" type="application/rss+xml"/>`,
    ...items,
    '</channel>',
    '</rss>',
  ]);
}

function addressOf(origin: string, { slug }: PostCard): string {
  return new URL(`/blog/${slug}`, origin).href;
}

function lastChange(posts: readonly PostCard[]): string {
  return posts.map(changedAt).reduce((last, each) => (each > last ? each : last), NEVER);
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`;
}
