/** What search engines may read of the contact page: whose it is and how it is reached. */
import type { ContactPage, WithContext } from 'schema-dts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export function contactJsonLd(origin: string, { general }: SiteSettings): WithContext<ContactPage> {
  const { site_name, company_name, company_address, contact_email } = general;
  const name = site_name || 'Cambist';
  return {
    '@context': 'https://schema.org',
    '@type': 'ContactPage',
    name,
    url: new URL('/contact', origin).href,
    mainEntity: {
      '@type': 'FinancialService',
      name,
      url: origin,
      ...(company_name ? { legalName: company_name } : {}),
      ...(company_address ? { address: company_address } : {}),
      ...(contact_email
        ? {
            email: contact_email,
            contactPoint: {
              '@type': 'ContactPoint',
              contactType: 'customer support',
              email: contact_email,
              url: new URL('/contact', origin).href,
            },
          }
        : {}),
    },
  };
}
