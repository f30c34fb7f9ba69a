/**
 * Pure: pairs that lose against their reverse, so that an exchange there and back
 * pays the customer more than was sent. Each pair counts with its best price, that
 * of the largest amount, as an exact fraction; only the gain shown is rounded.
 */
import type { RoundTrip } from '@cambist/contract/pairs';
import { floorDivide, formatDecimal, tenTo } from '@cambist/money/decimal';
import { compareFractions, times, type Fraction } from '@cambist/money/fraction';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { bestQuote } from './editor/guard.ts';
import { terms } from './price.ts';
import type { PairRow } from './store.ts';

/** Shown percentages have four decimals. */
const PERCENT_SCALE = 4;
/** The worst are enough to find a wrong rate. */
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
  const byDirection = new Map(ways.map((way) => [`${way.from} ${way.to}`, way]));
  const found = ways.flatMap((there) => {
    const back = byDirection.get(`${there.to} ${there.from}`);
    // Each two are met from both sides, and count once.
    return back !== undefined && there.pair.slug < back.pair.slug ? [[there, back] as const] : [];
  });
  return found
    .filter((trip) => !through || trip.some(({ pair }) => pair.slug === through))
    .map((trip) => ({ trip, product: times(trip[0].price, trip[1].price) }))
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

function gainOf({ numerator, denominator }: Fraction): string {
  const hundredths = (numerator - denominator) * 100n * tenTo(PERCENT_SCALE);
  return formatDecimal({ units: floorDivide(hundredths, denominator), scale: PERCENT_SCALE });
}
