import { listPosts } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { siteSettings } from '#lib/server/site-settings.ts';
import { textAnswer } from '#lib/server/text-answer.ts';
import { rss } from '../feed.ts';
import type { RequestHandler } from './$types.js';

const POSTS = 20;
const KEPT_SECONDS = 120;

export const GET: RequestHandler = async ({ locals, url, request }) => {
  const [site, { data: posts }] = await Promise.all([
    siteSettings(),
    locals.call(listPosts, { query: { per_page: POSTS } }),
  ]);
  const name = site.general.site_name ?? 'Cambist';
  const text = rss({
    origin: url.origin,
    title: `${name} · ${m.site_nav_blog()}`,
    description: m.blog_description({ site: name }),
    language: getLocale(),
    posts,
  });
  return textAnswer(request, text, {
    'content-type': 'application/rss+xml',
    'cache-control': `public, max-age=${KEPT_SECONDS}`,
  });
};
