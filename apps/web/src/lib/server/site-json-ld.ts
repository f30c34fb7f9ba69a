/** Who runs the site and what it is called, for search engines, on every public page. */
import type {
  Organization,
  SearchAction,
  WebSite,
  WithActionConstraints,
  WithContext,
} from 'schema-dts';
import type { SiteSettings } from './site-settings.ts';

export function siteJsonLd(
  origin: string,
  { general, seo, social, has_blog }: SiteSettings,
  language: string,
): WithContext<Organization | WebSite>[] {
  const name = general.site_name || 'Cambist';
  const organization: WithContext<Organization> = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: general.company_name || name,
    url: `${origin}/`,
    ...(general.contact_email ? { email: general.contact_email } : {}),
    ...(general.company_address ? { address: general.company_address } : {}),
    ...(seo.og_image ? { logo: new URL(seo.og_image, origin).href } : {}),
    ...(social.length > 0 ? { sameAs: social.map(({ href }) => new URL(href, origin).href) } : {}),
  };
  const search: WithActionConstraints<SearchAction> = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/blog?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  };
  const website: WithContext<WebSite> = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name,
    url: `${origin}/`,
    inLanguage: language,
    ...(seo.meta_description ? { description: seo.meta_description } : {}),
    publisher: { '@id': `${origin}/#organization` },
    ...(has_blog ? { potentialAction: search } : {}),
  };
  return [organization, website];
}
