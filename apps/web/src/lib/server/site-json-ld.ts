/** Who runs the site and what it is called, for search engines, on every public page. */
import type {
  Organization,
  SearchAction,
  WebSite,
  WithActionConstraints,
  WithContext,
} from 'schema-dts';
import { absolute } from '../absolute.ts';
import type { SiteSettings } from './site-settings.ts';

export function siteJsonLd(
  origin: string,
  { general, seo, social, has_blog }: SiteSettings,
  language: string,
): WithContext<Organization | WebSite>[] {
  const name = general.site_name || 'Cambist';
  const logo = seo.og_image ? absolute(seo.og_image, origin) : null;
  const profiles = social
    .map(({ href }) => absolute(href, origin))
    .filter((address) => address !== null);
  const organization: WithContext<Organization> = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: general.company_name || name,
    url: `${origin}/`,
    ...(general.contact_email ? { email: general.contact_email } : {}),
    ...(general.company_address ? { address: general.company_address } : {}),
    ...(logo === null ? {} : { logo }),
    ...(profiles.length > 0 ? { sameAs: profiles } : {}),
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
