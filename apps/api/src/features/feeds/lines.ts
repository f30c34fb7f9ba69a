/** Pure: the two files of one line for each direction. All costs are in the rate. */
import type { Item } from './items.ts';

/** `from;to;in;out;amount;city;` */
export function ratesText(items: readonly Item[]): string {
  return items
    .map(
      (item) =>
        `${[item.from, item.to, item.in, item.out, item.reserve, item.city ?? ''].join(';')};\n`,
    )
    .join('');
}

const HEADER = [
  'from',
  'to',
  'in',
  'out',
  'amount',
  'minamount',
  'maxamount',
  'floating',
  'city',
  'param',
];

/** RFC 4180, with a header. Codes, decimals and flags hold nothing that would need quotes. */
export function ratesCsv(items: readonly Item[]): string {
  const lines = items.map((item) => [
    item.from,
    item.to,
    item.in,
    item.out,
    item.reserve,
    item.sendMin,
    item.sendMax,
    String(item.lockMinutes),
    item.city ?? '',
    item.flags.join(' '),
  ]);
  return [HEADER, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}
