/**
 * Pure: JSON 1.3 of kurses.com.ua and jsons.info. Numbers are written as text, since JavaScript
 * numbers would lose digits.
 */
import type { FeedFlag } from '@cambist/contract/feeds';
import type { Item } from './items.ts';

/** The format's names. Its `auth` is our `reg`; our `auth` has none (docs/feeds.md). */
const OPTIONS: { readonly [F in FeedFlag]?: string } = {
  manual: 'manual',
  reg: 'auth',
  verifying: 'ident',
};

export function rates13Json(items: readonly Item[]): string {
  const codes = [...new Set(items.flatMap(({ from, to }) => [from, to]))];
  const key = (code: string) => String(codes.indexOf(code) + 1);
  const reserves = new Map(items.map(({ to, reserve }) => [to, reserve]));
  const exchange = [...Map.groupBy(items, ({ from }) => from)].map(([from, sent]) => {
    const to = [...Map.groupBy(sent, (item) => item.to)].map(
      ([code, places]) => [key(code), direction(places)] as const,
    );
    return [key(from), object([['to', object(to)]])] as const;
  });
  const list = codes.map((code) => [key(code), JSON.stringify(code)] as const);
  const amounts = [...reserves].map(([code, text]) => [key(code), JSON.stringify(text)] as const);
  const currencies = object([
    ['list', object(list)],
    ['amounts', object(amounts)],
  ]);
  return `${object([
    ['version', '"1.3"'],
    ['currencies', currencies],
    ['exchange', object(exchange)],
  ])}\n`;
}

/** One direction with all its cities. */
function direction(places: readonly Item[]): string {
  const [item] = places;
  if (item === undefined) throw new Error('A direction has at least one item.');
  const cities = places.flatMap(({ city }) => city ?? []);
  const options = item.flags.flatMap((flag) => OPTIONS[flag] ?? []);
  return object([
    ['xr', xr(item.withoutFixedFees)],
    ['amount', JSON.stringify(item.reserve)],
    ['min', item.sendMin],
    ['max', item.sendMax],
    ...(item.sendFee === null ? [] : [['inFee', item.sendFee] as const]),
    ...(item.receiveFee === null ? [] : [['outFee', item.receiveFee] as const]),
    ...(options.length === 0
      ? []
      : [['options', object(options.map((option) => [option, '1'] as const))] as const]),
    ...(cities.length === 0 ? [] : [['cities', JSON.stringify(cities)] as const]),
  ]);
}

/** `in` for one `out`, or `out` for one `in` as a negative number. */
function xr(rate: Item['withoutFixedFees']): string {
  if (rate.out === '1') return rate.in;
  return `-${rate.out}`;
}

/** `values` are JSON already. */
function object(values: readonly (readonly [string, string])[]): string {
  return `{${values.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}
