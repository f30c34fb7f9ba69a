/** Pure: the files for monitors, with their types and writers. */
import type { FeedFileName } from '@cambist/contract/feeds';
import type { Item } from './items.ts';
import { rates13Json } from './json.ts';
import { classicXml, erefXml } from './xml.ts';

interface Format {
  readonly contentType: string;
  /** Without items a valid, empty file. */
  readonly write: (items: readonly Item[]) => string;
}

export const formats: { readonly [F in FeedFileName]: Format } = {
  'bestchange.xml': { contentType: 'application/xml; charset=utf-8', write: classicXml },
  'bestchange-1.1.xml': { contentType: 'application/xml; charset=utf-8', write: erefXml },
  'rates-1.3.json': { contentType: 'application/json; charset=utf-8', write: rates13Json },
  'rates.txt': { contentType: 'text/plain; charset=utf-8', write: ratesText },
};

/** `from;to;in;out;amount;city;` */
function ratesText(items: readonly Item[]): string {
  return items
    .map(
      (item) =>
        `${[item.from, item.to, item.in, item.out, item.reserve, item.city ?? ''].join(';')};\n`,
    )
    .join('');
}
