/** Structured data of a post, and what its author added. */
import type { PublicPost } from '@cambist/contract/blog';
import type { BlogPosting, WithContext } from 'schema-dts';
import { absolute } from '#lib/site/seo.ts';
import { breadcrumbs } from '#lib/site/seo.ts';
import { publisherOf } from '#lib/server/site-json-ld.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { changedAt } from './changed-at.ts';

export interface Described {
  readonly post: PublicPost;
  readonly site: SiteSettings;
  readonly origin: string;
  /** The blog's name in the breadcrumbs. */
  readonly blog: string;
  /** Null when unknown. */
  readonly language: string;
}

export function postJsonLd({ post, site, origin, blog, language }: Described): object[] {
  const url = new URL(`/blog/${post.slug}`, origin).href;
  const publisher = publisherOf(origin, site);
  const posting: WithContext<BlogPosting> = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: post.title,
    ...(post.excerpt ? { description: post.excerpt } : {}),
    ...(post.cover_fallback ? { image: [new URL(post.cover_fallback, origin).href] } : {}),
    datePublished: post.published_at,
    dateModified: changedAt(post),
    author: post.author ? { '@type': 'Person', name: post.author } : publisher,
    publisher,
    mainEntityOfPage: (post.canonical && absolute(post.canonical, origin)) || url,
    url,
    ...(post.tags.length > 0 ? { keywords: post.tags.join(', ') } : {}),
    timeRequired: `PT${post.reading_minutes}M`,
    inLanguage: language,
  };
  const crumbs = breadcrumbs(origin, [
    [blog, '/blog'],
    [post.title, `/blog/${post.slug}`],
  ]);
  return [posting, crumbs, ...post.structured];
}
