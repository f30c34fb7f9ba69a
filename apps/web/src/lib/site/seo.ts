/** What a page tells search engines and link previews, from the SEO settings. */
import type { BreadcrumbList, WithContext } from 'schema-dts';
import { absolute } from './absolute.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export interface PageSeo {
  /** The page's own title; the settings' template surrounds it. */
  title?: string | undefined;
  description?: string | undefined;
  /** An absolute address or a path of this site; the page's own, so it is shown large. */
  image?: string | undefined;
  imageAlt?: string | undefined;
  type?: 'website' | 'article';
  /** Where this text is at home: an absolute address, or a path with what of its query matters. */
  canonical?: string | undefined;
  /** Of an article: ISO 8601 times, and who wrote it about what. */
  article?: Article | undefined;
  /** Keeps the page out of search engines. */
  noindex?: boolean;
  /** JSON-LD, as plain data. */
  structured?: object | readonly object[] | undefined;
}

export interface Article {
  readonly published: string;
  readonly modified: string;
  readonly author: string;
  readonly tags: readonly string[];
}

export interface Metadata {
  title: string;
  description: string;
  canonical: string;
  image: string | null;
  imageAlt: string;
  ogTitle: string;
  ogDescription: string;
  card: 'summary' | 'summary_large_image';
  twitterSite: string;
}

/** Fills what the page leaves open from the settings. `path` is without its query. */
export function metadata(
  page: PageSeo,
  site: SiteSettings,
  origin: string,
  path: string,
): Metadata {
  const { seo, general } = site;
  const siteName = general.site_name || 'Cambist';
  const fallback = seo.title || siteName;
  const title = page.title ? applyTemplate(seo.title_template, page.title, siteName) : fallback;
  const description = page.description || seo.meta_description || '';
  const image = page.image || seo.og_image || null;
  return {
    title,
    description,
    canonical: absolute(page.canonical ?? path, origin) ?? absolute(path, origin) ?? `${origin}/`,
    image: image === null ? null : absolute(image, origin),
    imageAlt: (page.image ? page.imageAlt : seo.og_image_alt) ?? '',
    ogTitle: page.title || seo.og_title || title,
    ogDescription: page.description || seo.og_description || description,
    card: page.image ? 'summary_large_image' : (seo.twitter_card ?? 'summary'),
    twitterSite: seo.twitter_site ?? '',
  };
}

/** `%s · Cambist` takes the page's title in the place of `%s`. */
function applyTemplate(template: string | undefined, title: string, siteName: string): string {
  return template?.includes('%s') ? template.replace('%s', () => title) : `${title} · ${siteName}`;
}

/** The way to a page, as search engines read it: names and paths from the top. */
export function breadcrumbs(
  origin: string,
  steps: readonly (readonly [name: string, path: string])[],
): WithContext<BreadcrumbList> {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, origin).href,
    })),
  };
}

// What could end the script element or, in old engines, the string.
const unsafe = new RegExp('[<>&\u2028\u2029]', 'g');

/** JSON that cannot leave the `<script>` element it is written into. */
export function jsonForScript(data: unknown): string {
  return JSON.stringify(data).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
