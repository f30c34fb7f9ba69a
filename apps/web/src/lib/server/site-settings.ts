/**
 * The settings that pages need: name, footer, social links, metadata, the home page. Changes show
 * within a second, and pages still render when the API is down.
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
import { refreshingCache, type FetchAnswer } from './refreshing-cache.ts';
import { legalPath, livingHref, type AllAddresses } from './legal-links.ts';
import { ownCall } from './relay.ts';

export interface SiteSettings {
  general: Partial<PublicSetting<'general'>>;
  seo: Partial<PublicSetting<'seo'>>;
  /** Only what is switched on. */
  footer: Pick<PublicSetting<'home-page'>['footer'], 'note' | 'columns'>;
  social: PublicSetting<'home-page'>['social'];
  /** The paths of the terms and the privacy notice; null when not published. */
  legal: { terms: string | null; privacy: string | null };
  /** Whether the home page has "How it works", which other pages link to. */
  has_how_it_works: boolean;
  /** Whether a post is published, so that pages link to the blog. */
  has_blog: boolean;
  /** Whether there is custom CSS. */
  has_css: boolean;
}

const { host } = new URL(ORIGIN);

const defaults: SiteSettings = {
  general: {},
  seo: {},
  footer: { note: '', columns: [] },
  social: [],
  legal: { terms: null, privacy: null },
  has_how_it_works: false,
  has_blog: false,
  has_css: false,
};

/** The public settings by slug; the API has checked them against the contract. */
interface Parts {
  readonly general: PublicSetting<'general'>;
  readonly seo: PublicSetting<'seo'>;
  readonly 'home-page': HomePage;
  readonly 'custom-css': PublicSetting<'custom-css'>;
  readonly 'sitemap-robots': PublicSetting<'sitemap-robots'>;
}

/** Settings for the server alone. */
export interface SiteWide {
  css: string;
  /** Null when the API was never reached. */
  robots: SitemapRobots | null;
  maintenance: Maintenance | null;
}

const parts = refreshingCache<Parts>(
  conditional(getSiteSettings, {}, ({ data }) => data as unknown as Parts),
);
const posts = refreshingCache<boolean>(
  conditional(listPosts, { query: { per_page: 1 } }, ({ meta }) => meta.total > 0),
);
const legal = refreshingCache<LegalPages>(conditional(listLegalPages, {}, (reply) => reply));

/** Something public has changed: the next page asks again. */
export function outdateSettings(): void {
  for (const cache of [parts, posts, legal]) cache.outdate();
}

/** A conditional request to `endpoint`. */
function conditional<E extends Endpoint, T>(
  endpoint: E,
  inputs: Inputs<E>,
  read: (reply: ReplyOf<E>) => T,
): FetchAnswer<T> {
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

/** Never throws: before the first answer, pages have defaults. */
export async function siteSettings(): Promise<SiteSettings> {
  try {
    const [settings, pages, has_blog] = await Promise.all([parts.get(), legal.get(), posts.get()]);
    const { general, seo, 'home-page': home, 'custom-css': custom } = settings;
    return {
      general,
      seo,
      ...linksOf(home, pages),
      legal: {
        terms: legalPath(general.terms_slug, pages.data),
        privacy: legalPath(general.privacy_slug, pages.data),
      },
      has_blog,
      has_css: custom.css !== '',
    };
  } catch {
    return defaults;
  }
}

/**
 * Never throws: before the first answer, the site is open and has no custom CSS. Console pages get
 * the latest settings, since they show what was just saved. A guest is redirected to sign-in and
 * needs no request.
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

/** Only links that lead somewhere. */
export function linksOf(
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

/**
 * All legal pages that are or were published.
 * @throws {ApiError} when the API never answered
 */
export function legalPages(): Promise<LegalPages> {
  return legal.get();
}

/** @throws {ApiError} when the API never answered */
export async function homeSettings(): Promise<HomePage> {
  return (await parts.get())['home-page'];
}
