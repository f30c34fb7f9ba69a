/** Pure: the two files of one line for each direction. In the text all costs are in the rate. */
import type { FeedSettings } from '@cambist/contract/feeds';
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

/**
 * RFC 4180, with a header. Codes, decimals and flags hold nothing that would need quotes; costs
 * beside the rate have two columns more, with a plus between fixed part and percentage.
 */
export function ratesCsv(items: readonly Item[], costs: FeedSettings['costs'] = 'inside'): string {
  const lines = items.map((item) => [
    item.from,
    item.to,
    item.classic.in,
    item.classic.out,
    item.reserve,
    item.sendMin,
    item.sendMax,
    String(item.lockMinutes),
    item.city ?? '',
    item.flags.join(' '),
    ...(costs === 'tags' ? [feeCell(item.classic.sendFee), feeCell(item.classic.receiveFee)] : []),
  ]);
  const header = costs === 'tags' ? [...HEADER, 'fromfee', 'tofee'] : HEADER;
  return [header, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function feeCell(fee: string | null): string {
  return fee?.replace(', ', ' + ') ?? '';
}
