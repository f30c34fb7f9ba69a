/** Structured data of the home page: the company and the questions. */
import type { HomePage } from '@cambist/contract/home-page';
import type { FAQPage, FinancialService, WithContext } from 'schema-dts';
import { deskOf } from '#lib/server/site-json-ld.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';

export function homeJsonLd(
  origin: string,
  site: SiteSettings,
  home: HomePage,
): WithContext<FinancialService | FAQPage>[] {
  const desk: WithContext<FinancialService> = {
    '@context': 'https://schema.org',
    ...deskOf(origin, site),
    ...(site.seo.meta_description ? { description: site.seo.meta_description } : {}),
  };
  if (!home.faq.enabled || home.faq.items.length === 0) return [desk];
  const questions: WithContext<FAQPage> = {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: home.faq.items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
  return [desk, questions];
}
