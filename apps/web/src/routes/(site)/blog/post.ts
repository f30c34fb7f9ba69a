/** A post as its page and its preview show it, rendered on the server. */
import type { PublicPost } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { readableText } from '#lib/server/html/readable-text.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { renderStatic } from '#lib/server/html/static-part.ts';
import { cardsOf, dayOf, postPath } from './cards.ts';
import { changedAt } from './changed-at.ts';
import { postJsonLd } from './json-ld.ts';
import PostTop from './PostTop.svelte';
import Related from './Related.svelte';

export async function shownPost(post: PublicPost, site: SiteSettings, origin: string) {
  const { contents, body } = await readableText(post.body, m.ui_table());
  const related = cardsOf(post.related, site);
  const day = dayOf(post.published_at, site);
  const changed = dayOf(changedAt(post), site);
  return {
    title: post.title,
    url: new URL(postPath(post.slug), origin).href,
    seo: {
      title: post.meta_title || post.title,
      description: post.meta_description || post.excerpt,
      image: post.cover_fallback ?? undefined,
      imageAlt: post.cover_alt,
      type: 'article' as const,
      canonical: post.canonical ?? undefined,
      article: {
        published: post.published_at,
        modified: changedAt(post),
        author: post.author,
        tags: post.tags,
      },
      structured: postJsonLd({
        post,
        site,
        origin,
        blog: m.site_nav_blog(),
        language: getLocale(),
      }),
    },
    top: await renderStatic(PostTop, { post, day, changed: changed === day ? null : changed }),
    contents,
    body,
    related: related.length === 0 ? '' : await renderStatic(Related, { posts: related }),
  };
}
