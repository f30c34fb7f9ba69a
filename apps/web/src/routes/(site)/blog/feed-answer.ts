/** Sends a feed: readers ask often, so they are told at once when nothing has changed. */
import { createHash } from 'node:crypto';
import { listPosts } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { siteSettings } from '#lib/server/site-settings.ts';
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
    siteSettings(locals.call),
    locals.call(listPosts, { query: { per_page: POSTS } }),
  ]);
  const name = site.general.site_name ?? 'Cambist';
  const text = write({
    origin: url.origin,
    title: `${name} · ${m.blog_title()}`,
    description: m.blog_description({ site: name }),
    language: getLocale(),
    posts,
  });
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const headers = { 'cache-control': `public, max-age=${KEPT_SECONDS}`, etag: `"${tag}"` };
  if (isKnown(request.headers.get('if-none-match'), tag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
}

/** The compressed answer goes by the same tag with a word after it. */
function isKnown(given: string | null, tag: string): boolean {
  const tags = given?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return tags.some((each) => each === '*' || each === `"${tag}"` || each === `"${tag}-gzip"`);
}
