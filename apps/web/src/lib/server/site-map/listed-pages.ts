/** Reads the pages of the site map from the API, as the settings ask for them. */
import { listPostAddresses, listPostAddressParts, listPostTags } from '@cambist/contract/blog';
import { listLegalPages } from '@cambist/contract/legal-pages';
import { ratesShowcase } from '@cambist/contract/pairs';
import type { SiteMapPart } from '@cambist/contract/site-wide';
import { languagesOf } from '#lib/server/languages.ts';
import type { ServerCall } from '#lib/server/relay.ts';
import { siteMapIndex, urlset, type Listed } from './site-map.ts';

/** Posts per answer of the API and per file. */
const IN_A_FILE = 5000;

interface Asked {
  readonly call: ServerCall;
  readonly origin: string;
  readonly listed: readonly SiteMapPart[];
}

/** The site map, or the index of its files; null when nothing is listed. */
export async function wholeSiteMap(asked: Asked): Promise<string | null> {
  const { origin } = asked;
  const [pages, parts] = await Promise.all([standingPages(asked), postParts(asked)]);
  const total = parts.reduce((sum, { posts }) => sum + posts, pages.length);
  if (total === 0) return null;
  if (total <= IN_A_FILE) {
    const posts = parts.length === 0 ? [] : await postsAfter(asked, null);
    return urlset(origin, [...pages, ...posts], languagesOf);
  }
  const files = [
    ...(pages.length === 0 ? [] : [{ path: '/sitemap-1.xml', changed: null }]),
    ...parts.map(({ updated_at }, index) => ({
      path: `/sitemap-${index + 2}.xml`,
      changed: updated_at,
    })),
  ];
  return siteMapIndex(origin, files);
}

/** The first file has all pages except posts; null for a file that does not exist. */
export async function siteMapFile(asked: Asked, number: number): Promise<string | null> {
  const { origin } = asked;
  if (number === 1) {
    const pages = await standingPages(asked);
    return pages.length === 0 ? null : urlset(origin, pages, languagesOf);
  }
  const part = (await postParts(asked))[number - 2];
  if (part === undefined) return null;
  return urlset(origin, await postsAfter(asked, part.after), languagesOf);
}

async function postParts({ call, listed }: Asked) {
  return listed.includes('posts') ? (await call(listPostAddressParts)).data : [];
}

async function postsAfter({ call }: Asked, after: string | null): Promise<Listed[]> {
  const { data } = await call(listPostAddresses, after === null ? {} : { query: { after } });
  return data.map(({ slug, updated_at }) => ({ path: `/blog/${slug}`, changed: updated_at }));
}

/** In the order of the contract, home page first. */
async function standingPages(asked: Asked): Promise<Listed[]> {
  const { call, listed } = asked;
  const at = (path: string, changed: string | null = null): Listed => ({ path, changed });
  const ways: Readonly<Record<Exclude<SiteMapPart, 'posts'>, () => Promise<Listed[]>>> = {
    home: async () => [at('/')],
    rates: async () => [at('/rates')],
    pairs: async () => (await call(ratesShowcase)).data.map(({ pair }) => at(`/rates/${pair}`)),
    blog: () => blogPage(asked),
    tags: async () =>
      (await call(listPostTags)).data.map(({ tag }) => at(`/blog/tag/${encodeURIComponent(tag)}`)),
    legal_pages: async () =>
      (await call(listLegalPages)).data.map(({ slug, updated_at }) => at(`/${slug}`, updated_at)),
    contact: async () => [at('/contact')],
  };
  const found = await Promise.all(
    Object.entries(ways)
      .filter(([part]) => listed.some((each) => each === part))
      .map(([, read]) => read()),
  );
  return found.flat();
}

/** As new as its newest post; not listed while empty. */
async function blogPage({ call }: Asked): Promise<Listed[]> {
  const { data } = await call(listPostAddressParts);
  const changed = data.map(({ updated_at }) => updated_at).toSorted();
  return changed.length === 0 ? [] : [{ path: '/blog', changed: changed.at(-1) ?? null }];
}
