/**
 * Pure: exchanges back and forth, over two pairs or three, which together would
 * pay the customer more than was sent. Each pair counts with its best price, that
 * of the largest amount, as an exact fraction; nothing is rounded but the gain shown.
 */
import type { RoundTrip } from '@cambist/contract/pairs';
import { floorDivide, formatDecimal, tenTo } from '@cambist/money/decimal';
import { compareFractions, times, whole, type Fraction } from '@cambist/money/fraction';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { bestQuote } from './guard.ts';
import { terms } from './price.ts';
import type { PairRow } from './store.ts';

/** Shown percentages have four decimals. */
const PERCENT_SCALE = 4;
/** Where one rate is a thousandfold, each trip through it pays: the worst are enough to find it. */
const MOST_SHOWN = 20;

interface Way {
  readonly pair: PairRow;
  readonly from: string;
  readonly to: string;
  /** Receive units paid out for one send unit. */
  readonly price: Fraction;
}

/** Among these pairs, the largest gain first; with `through`, only those which that pair is part of. */
export function roundTrips(pairs: readonly PairRow[], through?: string): RoundTrip[] {
  const ways = pairs.flatMap(wayOf);
  const leaving = Map.groupBy(ways, ({ from }) => from);
  const found = ways.flatMap((first) =>
    (leaving.get(first.to) ?? []).flatMap((second) => {
      if (second.to === first.from) return [[first, second]];
      return (leaving.get(second.to) ?? [])
        .filter((third) => third.to === first.from)
        .map((third) => [first, second, third]);
    }),
  );
  return found
    .filter((trip) => isFirst(trip) && (!through || trip.some(({ pair }) => pair.slug === through)))
    .map((trip) => ({ trip, product: productOf(trip) }))
    .filter(({ product }) => product.numerator > product.denominator)
    .toSorted((a, b) => compareFractions(b.product, a.product))
    .slice(0, MOST_SHOWN)
    .map(({ trip, product }) => ({
      pairs: trip.map(({ pair: { slug, send, receive } }) => ({
        slug,
        send: publicCurrency(send),
        receive: publicCurrency(receive),
      })),
      gain_percent: gainOf(product),
    }));
}

function wayOf(pair: PairRow): Way[] {
  const priced = terms(pair);
  const quote = priced && bestQuote(pair, priced);
  if (!quote) return [];
  const { send, receive } = pair;
  const price = {
    numerator: quote.payout * tenTo(send.decimals),
    denominator: quote.send * tenTo(receive.decimals),
  };
  return [{ pair, from: send.id, to: receive.id, price }];
}

/** Each ring is met once from each of its pairs, and counts from the first by name. */
function isFirst([first, ...others]: readonly Way[]): boolean {
  return first !== undefined && others.every(({ pair }) => first.pair.slug < pair.slug);
}

function productOf(trip: readonly Way[]): Fraction {
  return trip.reduce((all, { price }) => times(all, price), whole(1n));
}

function gainOf({ numerator, denominator }: Fraction): string {
  const hundredths = (numerator - denominator) * 100n * tenTo(PERCENT_SCALE);
  return formatDecimal({ units: floorDivide(hundredths, denominator), scale: PERCENT_SCALE });
}
