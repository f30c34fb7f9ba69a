/** Posts as cards, and blog addresses. */
import type { PostCard } from '@cambist/contract/blog';
import { dateFormat } from '#lib/format/intl.ts';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { SiteSettings } from '#lib/server/site-settings.ts';

/** With the publication day in the desk's time zone. */
export type Card = PostCard & { readonly day: string };

export function cardsOf(posts: readonly PostCard[], site: SiteSettings): Card[] {
  return posts.map((post) => ({ ...post, day: dayOf(post.published_at, site) }));
}

export function dayOf(at: string, { general }: SiteSettings): string {
  const timeZone = general.time_zone ?? 'UTC';
  return dateFormat(getLocale(), { dateStyle: 'long', timeZone }).format(new Date(at));
}

export const postPath = (slug: string): string => `/blog/${slug}`;
export const tagPath = (tag: string): string => `/blog/tag/${encodeURIComponent(tag)}`;
