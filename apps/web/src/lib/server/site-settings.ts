/**
 * The settings that pages need: name, footer, social links, metadata, the home
 * page. What somebody saves is shown within a second, without a question for
 * each page; a visitor still meets a whole page when the API is away.
 */
import { listPosts } from '@cambist/contract/blog';
import type { Endpoint, ReplyOf } from '@cambist/contract/endpoint';
import type { HomePage } from '@cambist/contract/home-page';
import { listLegalPages, type LegalPages } from '@cambist/contract/legal-pages';
import { getSiteSettings, type PublicSetting } from '@cambist/contract/settings';
import type { Maintenance, SitemapRobots } from '@cambist/contract/site-wide';
import { ORIGIN } from '$app/env/private';
import { ApiError, type Inputs } from '#lib/api/client.ts';
import { deadAnchors, sectionIds } from '#lib/site/home-sections.ts';
import { freshlyKept, type Ask } from './refreshing-cache.ts';
import { legalPath, livingHref, type AllAddresses } from './legal-links.ts';
import { ownCall } from './relay.ts';

export interface SiteSettings {
  general: Partial<PublicSetting<'general'>>;
  seo: Partial<PublicSetting<'seo'>>;
  /** What of it is switched on. */
  footer: Pick<PublicSetting<'home-page'>['footer'], 'note' | 'columns'>;
  social: PublicSetting<'home-page'>['social'];
  /** Where to read what a customer agrees to; null for a page that is not on the site. */
  legal: { terms: string | null; privacy: string | null };
  /** Whether the home page says how it works, so that pages lead there. */
  has_how_it_works: boolean;
  /** Whether a post is published, so that pages lead to the blog. */
  has_blog: boolean;
  /** Whether the desk dresses its pages with a style sheet of its own. */
  has_css: boolean;
}

const { host } = new URL(ORIGIN);

const bare: SiteSettings = {
  general: {},
  seo: {},
  footer: { note: '', columns: [] },
  social: [],
  legal: { terms: null, privacy: null },
  has_how_it_works: false,
  has_blog: false,
  has_css: false,
};

/** The public parts by slug; the API checked them against the contract's schemas. */
interface Parts {
  readonly general: PublicSetting<'general'>;
  readonly seo: PublicSetting<'seo'>;
  readonly 'home-page': HomePage;
  readonly 'custom-css': PublicSetting<'custom-css'>;
  readonly 'sitemap-robots': PublicSetting<'sitemap-robots'>;
}

/** What the server itself goes by; pages are not told of it. */
export interface SiteWide {
  css: string;
  /** Null where the service was never reached. */
  robots: SitemapRobots | null;
  maintenance: Maintenance | null;
}

const parts = freshlyKept<Parts>(
  question(getSiteSettings, {}, ({ data }) => data as unknown as Parts),
);
const posts = freshlyKept<boolean>(
  question(listPosts, { query: { per_page: 1 } }, ({ meta }) => meta.total > 0),
);
const legal = freshlyKept<LegalPages>(question(listLegalPages, {}, (reply) => reply));

/** The question for `endpoint`, by the mark of the answer that is known. */
function question<E extends Endpoint, T>(
  endpoint: E,
  inputs: Inputs<E>,
  read: (reply: ReplyOf<E>) => T,
): Ask<T> {
  return async (known) => {
    let etag: string | undefined;
    const seen = (headers: Headers) => (etag = headers.get('etag') ?? undefined);
    try {
      const reply = await (ownCall as (endpoint: E, inputs: Inputs<E>) => Promise<ReplyOf<E>>)(
        endpoint,
        { ...inputs, known, seen },
      );
      return { value: read(reply), etag };
    } catch (error) {
      if (error instanceof ApiError && error.status === 304) return null;
      throw error;
    }
  };
}

/** Never throws: without any answer yet, the page is plainer. */
export async function siteSettings(): Promise<SiteSettings> {
  try {
    const [settings, pages, has_blog] = await Promise.all([parts.get(), legal.get(), posts.get()]);
    const { general, seo, 'home-page': home, 'custom-css': custom } = settings;
    return {
      general,
      seo,
      ...footOf(home, pages),
      legal: {
        terms: legalPath(general.terms_slug, pages.data),
        privacy: legalPath(general.privacy_slug, pages.data),
      },
      has_blog,
      has_css: custom.css !== '',
    };
  } catch {
    return bare;
  }
}

/**
 * Never throws: without any answer yet, the site is open and undressed. The console shows what was
 * saved there at once: what is asked for it is what the rest of its page is made of. A guest, who
 * is led to sign-in from there, is no reason to ask.
 */
export async function siteWide({
  isConsole,
  hasSession,
}: {
  readonly isConsole: boolean;
  readonly hasSession: boolean;
}): Promise<SiteWide> {
  try {
    const settings = await (isConsole && hasSession ? parts.latest() : parts.get());
    const { general, 'custom-css': custom, 'sitemap-robots': robots } = settings;
    return { css: custom.css, robots, maintenance: general.maintenance };
  } catch {
    return { css: '', robots: null, maintenance: null };
  }
}

/** What every page has of the home page's settings: only links that lead to something. */
export function footOf(
  home: HomePage,
  pages: AllAddresses,
): Pick<SiteSettings, 'footer' | 'social' | 'has_how_it_works'> {
  const { note, links_enabled, social_enabled, columns } = home.footer;
  const dead = deadAnchors(home);
  const living = <Link extends { href: string }>(links: readonly Link[]): Link[] =>
    links.flatMap((link) => {
      const href = dead.includes(link.href) ? null : livingHref(link.href, pages, host);
      return href === null ? [] : [{ ...link, href }];
    });
  const shown = columns
    .map((column) => ({ ...column, links: living(column.links) }))
    .filter(({ links }) => links.length > 0);
  return {
    footer: { note, columns: links_enabled ? shown : [] },
    social: social_enabled ? living(home.social) : [],
    has_how_it_works: !dead.includes(`/#${sectionIds.how_it_works}`),
  };
}

/** The legal pages that are or were on the site. @throws {ApiError} where it was never answered. */
export function legalPages(): Promise<LegalPages> {
  return legal.get();
}

/** @throws {ApiError} where it was never answered. */
export async function homeSettings(): Promise<HomePage> {
  return (await parts.get())['home-page'];
}
