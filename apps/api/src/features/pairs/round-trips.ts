/**
 * Pure: pairs that lose against their reverse, so that an exchange there and back pays the customer
 * more than was sent. Each pair is compared by its best price, as an exact fraction.
 */
import type { RoundTrip } from '@cambist/contract/pairs';
import { floorDivide, formatDecimal, tenTo } from '@cambist/money/decimal';
import { compareFractions, times, type Fraction } from '@cambist/money/fraction';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { bestQuote } from './editor/confirmation.ts';
import type { PairRow } from './store.ts';
import { terms } from './terms.ts';

/** Percentages are shown with four decimals. */
const PERCENT_SCALE = 4;
const MAX_SHOWN = 20;

interface Leg {
  readonly pair: PairRow;
  readonly from: string;
  readonly to: string;
  /** Receive units paid out for one send unit. */
  readonly price: Fraction;
}

/** The largest gain first. */
export function roundTrips(pairs: readonly PairRow[]): RoundTrip[] {
  const legs = pairs.flatMap(legOf);
  const byDirection = new Map(legs.map((leg) => [`${leg.from} ${leg.to}`, leg]));
  const found = legs.flatMap((there) => {
    const back = byDirection.get(`${there.to} ${there.from}`);
    // Each round trip is found from both sides and counted once.
    return back !== undefined && there.pair.slug < back.pair.slug ? [[there, back] as const] : [];
  });
  return found
    .map((trip) => ({ trip, product: times(trip[0].price, trip[1].price) }))
    .filter(({ product }) => product.numerator > product.denominator)
    .toSorted((a, b) => compareFractions(b.product, a.product))
    .slice(0, MAX_SHOWN)
    .map(({ trip, product }) => ({
      pairs: trip.map(({ pair: { slug, send, receive } }) => ({
        slug,
        send: publicCurrency(send),
        receive: publicCurrency(receive),
      })),
      gain_percent: gainPercent(product),
    }));
}

function legOf(pair: PairRow): Leg[] {
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

function gainPercent({ numerator, denominator }: Fraction): string {
  const hundredths = (numerator - denominator) * 100n * tenTo(PERCENT_SCALE);
  return formatDecimal({ units: floorDivide(hundredths, denominator), scale: PERCENT_SCALE });
}
