/** Reads the pages of the site map from the API, as the settings ask for them. */
import { listPostAddresses, listPostTags } from '@cambist/contract/blog';
import { listLegalPages } from '@cambist/contract/legal-pages';
import { ratesShowcase } from '@cambist/contract/pairs';
import { siteMapParts, type SiteMapPart } from '@cambist/contract/site-wide';
import type { ServerCall } from '#lib/server/relay.ts';
import { urlset, type Listed } from './site-map.ts';

interface Asked {
  readonly call: ServerCall;
  readonly origin: string;
  readonly listed: readonly SiteMapPart[];
}

/** Null when nothing is listed. In the order of the contract, home page first, posts last. */
export async function siteMap({ call, origin, listed }: Asked): Promise<string | null> {
  const at = (path: string, changed: string | null = null): Listed => ({ path, changed });
  const isListed = (part: SiteMapPart) => listed.includes(part);
  const asksPosts = isListed('blog') || isListed('posts');
  const posts = asksPosts ? (await call(listPostAddresses)).data : [];
  const parts: Readonly<Record<SiteMapPart, () => Promise<Listed[]> | Listed[]>> = {
    home: () => [at('/')],
    rates: () => [at('/rates')],
    pairs: async () => (await call(ratesShowcase)).data.map(({ pair }) => at(`/rates/${pair}`)),
    // As new as its newest post; not listed while empty.
    blog: () => posts.slice(0, 1).map(({ updated_at }) => at('/blog', updated_at)),
    tags: async () =>
      (await call(listPostTags)).data.map(({ tag }) => at(`/blog/tag/${encodeURIComponent(tag)}`)),
    legal_pages: async () =>
      (await call(listLegalPages)).data.map(({ slug, updated_at }) => at(`/${slug}`, updated_at)),
    contact: () => [at('/contact')],
    posts: () => posts.map(({ slug, updated_at }) => at(`/blog/${slug}`, updated_at)),
  };
  const found = await Promise.all(siteMapParts.filter(isListed).map((part) => parts[part]()));
  const pages = found.flat();
  return pages.length === 0 ? null : urlset(origin, pages);
}
