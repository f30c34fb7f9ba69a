/** Every file with its type and what writes it. */
import type { FeedFileName, FeedSettings } from '@cambist/contract/feeds';
import type { Item } from './items.ts';
import { rates13Json } from './json.ts';
import { ratesCsv, ratesText } from './lines.ts';
import { classicXml, erefXml } from './xml.ts';

interface Format {
  readonly contentType: string;
  /** Without items a valid file with nothing in it. */
  readonly write: (items: readonly Item[], costs?: FeedSettings['costs']) => string;
}

export const formats: { readonly [F in FeedFileName]: Format } = {
  'bestchange.xml': { contentType: 'application/xml; charset=utf-8', write: classicXml },
  'bestchange-1.1.xml': { contentType: 'application/xml; charset=utf-8', write: erefXml },
  'rates-1.3.json': { contentType: 'application/json; charset=utf-8', write: rates13Json },
  'rates.txt': { contentType: 'text/plain; charset=utf-8', write: ratesText },
  'rates.csv': { contentType: 'text/csv; charset=utf-8; header=present', write: ratesCsv },
};
