/** Structured data of the contact page. */
import type { ContactPage, WithContext } from 'schema-dts';
import { m } from '#lib/paraglide/messages.js';
import { deskOf } from '#lib/server/site-json-ld.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export function contactJsonLd(origin: string, site: SiteSettings): WithContext<ContactPage> {
  const { contact_email } = site.general;
  return {
    '@context': 'https://schema.org',
    '@type': 'ContactPage',
    name: m.contact_title(),
    url: new URL('/contact', origin).href,
    mainEntity: {
      ...deskOf(origin, site),
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
