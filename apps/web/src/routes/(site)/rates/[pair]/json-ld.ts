/** Structured data of a pair: the service, its rate and the breadcrumbs. */
import type {
  BreadcrumbList,
  CurrencyConversionService,
  ExchangeRateSpecification,
  WithContext,
} from 'schema-dts';
import type { Direction } from '#lib/converter/price.ts';
import { breadcrumbs } from '#lib/site/seo.ts';
import { deskOf } from '#lib/server/site-json-ld.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import type { Term } from './terms-words.ts';

export interface Described {
  readonly origin: string;
  readonly path: string;
  readonly site: SiteSettings;
  readonly title: string;
  readonly heading: string;
  readonly direction: Direction;
  /** Whether the desk gives new prices. */
  readonly quotable: boolean;
  readonly fees: readonly Term[];
  readonly allRates: string;
}

export function pairJsonLd(
  described: Described,
): WithContext<CurrencyConversionService | ExchangeRateSpecification | BreadcrumbList>[] {
  const { origin, path, site, title, heading, direction, quotable, fees, allRates } = described;
  const url = new URL(path, origin).href;
  const { send, receive, pair } = direction;
  const service: WithContext<CurrencyConversionService> = {
    '@context': 'https://schema.org',
    '@type': 'CurrencyConversionService',
    name: title,
    url,
    feesAndCommissionsSpecification: fees.map(({ label, text }) => `${label}: ${text}`).join('. '),
    provider: deskOf(origin, site),
  };
  // An outdated rate is no offer.
  const rate: WithContext<ExchangeRateSpecification> = {
    '@context': 'https://schema.org',
    '@type': 'ExchangeRateSpecification',
    currency: send.unit,
    currentExchangeRate: {
      '@type': 'UnitPriceSpecification',
      price: pair.rate,
      priceCurrency: receive.unit,
      ...(pair.mid_as_of ? { validFrom: pair.mid_as_of } : {}),
      ...(pair.stale_at ? { validThrough: pair.stale_at } : {}),
    },
  };
  const crumbs = breadcrumbs(origin, [
    [allRates, '/rates'],
    [heading, path],
  ]);
  return quotable ? [service, rate, crumbs] : [service, crumbs];
}
