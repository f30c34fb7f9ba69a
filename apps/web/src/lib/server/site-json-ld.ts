/** The company and the site as JSON-LD, on every public page. */
import type { FinancialService, Organization, WebSite, WithContext } from 'schema-dts';
import { absolute } from '#lib/site/seo.ts';
import type { SiteSettings } from './site-settings.ts';

/** The publisher: the company, if it is named. */
export function publisherOf(origin: string, { general }: Pick<SiteSettings, 'general'>) {
  return {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: general.company_name || general.site_name || 'Cambist',
    url: `${origin}/`,
  } as const satisfies Organization;
}

/**
 * The same company as a financial service; the shared `@id` tells search engines that both are one.
 */
export function deskOf(origin: string, site: Pick<SiteSettings, 'general'>) {
  const { company_name, company_address } = site.general;
  return {
    ...publisherOf(origin, site),
    '@type': 'FinancialService',
    ...(company_name ? { legalName: company_name } : {}),
    ...(company_address ? { address: company_address } : {}),
  } as const satisfies FinancialService;
}

export function siteJsonLd(
  origin: string,
  site: SiteSettings,
  language: string,
): WithContext<Organization | WebSite>[] {
  const { general, seo, social } = site;
  const image = seo.og_image ? absolute(seo.og_image, origin) : null;
  const profiles = social
    .map(({ href }) => absolute(href, origin))
    .filter((address) => address !== null)
    // Email addresses and telephone numbers are no profiles.
    .filter((address) => /^https?:/.test(address));
  const organization: WithContext<Organization> = {
    '@context': 'https://schema.org',
    ...publisherOf(origin, site),
    ...(general.contact_email ? { email: general.contact_email } : {}),
    ...(general.company_address ? { address: general.company_address } : {}),
    // The image of shared links; there is no setting for a logo.
    ...(image === null ? {} : { image }),
    ...(profiles.length > 0 ? { sameAs: profiles } : {}),
  };
  const website: WithContext<WebSite> = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: general.site_name || 'Cambist',
    url: `${origin}/`,
    inLanguage: language,
    ...(seo.meta_description ? { description: seo.meta_description } : {}),
    publisher: { '@id': `${origin}/#organization` },
  };
  return [organization, website];
}
