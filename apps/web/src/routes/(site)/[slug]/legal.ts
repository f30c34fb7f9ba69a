/** A legal page as its address and its preview show it, rendered on the server. */
import type { LegalPage, LegalPageSummary, LegalPageVersion } from '@cambist/contract/legal-pages';
import type { BreadcrumbList, WebPage, WithContext } from 'schema-dts';
import { dayWords } from '#lib/format/day-words.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { breadcrumbs } from '#lib/site/seo.ts';
import { readableText } from '#lib/server/html/readable-text.ts';
import { publisherOf } from '#lib/server/site-json-ld.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export interface Surroundings {
  readonly others: readonly LegalPageSummary[];
  readonly site: SiteSettings;
  readonly origin: string;
}

export async function shownLegal(page: LegalPage, { others, site, origin }: Surroundings) {
  const { contents, body } = await readableText(page.body, m.ui_table());
  const { slug, title, version, state } = page;
  const versions = page.versions.map((each) => shownEntry(slug, each, page.versions));
  const inForce = versions.find((each) => each.state === 'in_force');
  // Before the first version is in force, the announced one is shown.
  const isMain = state === 'in_force' || (inForce === undefined && state === 'announced');
  return {
    title,
    version,
    state,
    effective: { on: page.effective_on, day: dayWords(page.effective_on) },
    until: page.until === null ? null : dayWords(page.until),
    updated: { at: page.updated_at, day: dayWords(page.updated_at.slice(0, 10)) },
    inForceHref: inForce?.href ?? null,
    next: versions.findLast((each) => each.state === 'announced') ?? null,
    seo: {
      title: isMain ? title : m.legal_title_of_version({ title, version }),
      description: page.summary,
      noindex: !isMain,
      ...(isMain ? { structured: legalJsonLd(page, { site, origin }) } : {}),
    },
    contents,
    body,
    versions,
    others: others.filter((other) => other.slug !== slug),
  };
}

function shownEntry(slug: string, entry: LegalPageVersion, all: readonly LegalPageVersion[]) {
  const { version, state, effective_on, until, change } = entry;
  const hasInForce = all.some((other) => other.state === 'in_force');
  const isMain = state === 'in_force' || (!hasInForce && state === 'announced');
  return {
    version,
    state,
    href: isMain ? `/${slug}` : `/${slug}?version=${version}`,
    from: dayWords(effective_on),
    until: until === null ? null : dayWords(until),
    change,
  };
}

function legalJsonLd(
  page: LegalPage,
  { site, origin }: Pick<Surroundings, 'site' | 'origin'>,
): WithContext<WebPage | BreadcrumbList>[] {
  const name = site.general.site_name || 'Cambist';
  const first = page.versions.at(-1);
  const webPage: WithContext<WebPage> = {
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: page.title,
    ...(page.summary ? { description: page.summary } : {}),
    url: new URL(`/${page.slug}`, origin).href,
    inLanguage: getLocale(),
    ...(first ? { datePublished: first.published_at } : {}),
    dateModified: page.updated_at,
    isPartOf: { '@type': 'WebSite', name, url: origin },
    publisher: publisherOf(origin, site),
  };
  const crumbs = breadcrumbs(origin, [
    [name, '/'],
    [page.title, `/${page.slug}`],
  ]);
  return [webPage, crumbs];
}
