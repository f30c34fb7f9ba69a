/** A page of posts: all, those with a tag, or those that match a search. */
import { error } from '@sveltejs/kit';
import { listPosts, listPostTags } from '@cambist/contract/blog';
import { listPath, readPage } from '#lib/browser/list-query.ts';
import { m } from '#lib/paraglide/messages.js';
import { siteSettings } from '#lib/server/site-settings.ts';
import { renderStatic } from '#lib/server/html/static-part.ts';
import BlogList from './BlogList.svelte';
import { cardsOf, tagPath } from './cards.ts';

const LONGEST_QUERY = 100;
const TAGS_SHOWN = 12;

interface Asked {
  readonly locals: App.Locals;
  readonly url: URL;
  readonly tag?: string;
}

/** 404 beyond the last page, and for a tag without posts. */
export async function blogList({ locals, url, tag }: Asked) {
  const page = readPage(url.searchParams.get('page'));
  const query = (url.searchParams.get('q') ?? '')
    .replaceAll('\0', '')
    .trim()
    .slice(0, LONGEST_QUERY);
  const narrowed = {
    ...(tag === undefined ? {} : { tag }),
    ...(query === '' ? {} : { q: query }),
  };
  const [site, { data: posts, meta }, { data: tags }] = await Promise.all([
    siteSettings(),
    locals.call(listPosts, { query: { page, ...narrowed } }),
    locals.call(listPostTags),
  ]);
  if (page > Math.max(1, meta.last_page)) error(404);
  if (tag !== undefined && meta.total === 0 && query === '') error(404);

  const path = tag === undefined ? '/blog' : tagPath(tag);
  const addressOf = (at: number) => listPath(path, { q: query, page: at });
  const heading = tag === undefined ? m.site_nav_blog() : m.blog_tag_title({ tag });
  const name = site.general.site_name ?? 'Cambist';
  return {
    title: page === 1 ? heading : m.blog_page_title({ title: heading, page }),
    description:
      tag === undefined
        ? m.blog_description({ site: name })
        : m.blog_tag_description({ site: name, tag }),
    canonical: listPath(path, { page }),
    noindex: query !== '',
    previous: page > 1 ? addressOf(page - 1) : null,
    next: page < meta.last_page ? addressOf(page + 1) : null,
    list: await renderStatic(BlogList, {
      heading,
      path,
      query,
      tag: tag ?? null,
      tags: tags.slice(0, TAGS_SHOWN).map((each) => each.tag),
      posts: cardsOf(posts, site),
      meta,
      addressOf,
    }),
  };
}
