/** Sends a feed with an ETag, since feed readers poll often. */
import { listPosts } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { siteSettings } from '#lib/server/site-settings.ts';
import { textAnswer } from '#lib/server/text-answer.ts';
import type { Feed } from './feed.ts';

const POSTS = 20;
const KEPT_SECONDS = 120;

interface Asked {
  readonly locals: App.Locals;
  readonly url: URL;
  readonly request: Request;
}

export async function feedAnswer(
  { locals, url, request }: Asked,
  type: string,
  write: (feed: Feed) => string,
): Promise<Response> {
  const [site, { data: posts }] = await Promise.all([
    siteSettings(),
    locals.call(listPosts, { query: { per_page: POSTS } }),
  ]);
  const name = site.general.site_name ?? 'Cambist';
  const text = write({
    origin: url.origin,
    title: `${name} · ${m.site_nav_blog()}`,
    description: m.blog_description({ site: name }),
    language: getLocale(),
    posts,
  });
  return textAnswer(request, text, {
    'content-type': type,
    'cache-control': `public, max-age=${KEPT_SECONDS}`,
  });
}
