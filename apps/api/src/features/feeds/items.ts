/** Pure: from the desk's pairs to the items of the files, and the reasons for pairs that are in none. */
import type { FeedFlag, FeedGap, FeedSettings } from '@cambist/contract/feeds';
import { toDecimal } from '@cambist/money/amount';
import { formatDecimal, formatShortest, tenTo } from '@cambist/money/decimal';
import { fraction, minus, over, type Fraction } from '@cambist/money/fraction';
import { quoteSend } from '@cambist/money/quote';
import { sendLimits } from '#features/pairs/limits.ts';
import { shownReserve } from '#features/pairs/reserves.ts';
import { statusOf, type RatePolicy } from '#features/pairs/state.ts';
import type { ListedPair } from '#features/pairs/pairs.ts';
import { terms } from '#features/pairs/terms.ts';
import { worstPrice } from './worst-price.ts';

/** One direction, in one city if it is cash. Amounts and rates in major units. */
export interface Item {
  readonly pair: string;
  /** Slugs of the currencies. */
  readonly send: string;
  readonly receive: string;
  /** Their codes. */
  readonly from: string;
  readonly to: string;
  readonly city: string | null;
  /** `out` units for `in` units after all costs. */
  readonly in: string;
  readonly out: string;
  /** The rate that the converter shows. */
  readonly converter: { readonly in: string; readonly out: string };
  /** The percentage by which `in` and `out` are below it. */
  readonly belowPercent: string;
  /** For files that name the fixed fees separately. */
  readonly withoutFixedFees: { readonly in: string; readonly out: string };
  /** Null where there is none. */
  readonly sendFee: string | null;
  readonly receiveFee: string | null;
  readonly reserve: string;
  readonly sendMin: string;
  readonly sendMax: string;
  readonly receiveMin: string;
  readonly receiveMax: string;
  readonly lockMinutes: number;
  readonly flags: readonly FeedFlag[];
}

export interface Gap {
  readonly pair: string;
  readonly reason: FeedGap;
  readonly message: string;
}

export function listItems(
  pairs: readonly ListedPair[],
  settings: FeedSettings,
  policy: RatePolicy,
  caps: Caps,
): { readonly items: readonly Item[]; readonly gaps: readonly Gap[] } {
  const excluded = new Set(settings.excluded);
  const flags = new Map(settings.pair_flags.map((each) => [each.pair, each.flags]));
  const cities = new Map(settings.cities.map((each) => [each.currency, each.cities]));
  const items: Item[] = [];
  const gaps: Gap[] = [];
  for (const pair of pairs) {
    const found = excluded.has(pair.slug)
      ? gap('excluded', 'The settings of the feeds exclude it.')
      : priced(pair, policy, caps);
    if ('reason' in found) {
      gaps.push({ pair: pair.slug, ...found });
      continue;
    }
    const places = citiesOf(pair, cities);
    if (places.length === 0) {
      const message = 'Cash changes hands in a city: the settings of the feeds name none for it.';
      gaps.push({ pair: pair.slug, ...gap('no_city', message) });
    }
    const own = flags.get(pair.slug) ?? settings.flags;
    items.push(...places.map((city) => ({ ...found, city, flags: own })));
  }
  return { items, gaps };
}

type Caps = Parameters<typeof shownReserve>[2];
type Priced = Omit<Item, 'city' | 'flags'>;
type Reason = Omit<Gap, 'pair'>;

function gap(reason: FeedGap, message: string): Reason {
  return { reason, message };
}

function priced(pair: ListedPair, policy: RatePolicy, caps: Caps): Priced | Reason {
  const { state, reason, lockMinutes } = statusOf(pair, policy, pair.read_at);
  if (state !== 'live' && state !== 'delayed') return gap(state, reason ?? '');
  const limits = sendLimits(pair);
  const price = terms(pair);
  if (limits === null || price === null) return gap('no_amount', 'No amount satisfies its limits.');
  const least = quoteSend(price, limits.min);
  if (pair.reserve < least.payout)
    return gap('no_reserve', 'The reserve does not cover the least payout.');
  const worst = worstPrice(price, least, limits.max);
  const all = orient(worst.all);
  const converter = orient(fraction(price.rate));
  const withoutFixedFees = orient(worst.withoutFixedFees);
  if (all === null || withoutFixedFees === null || converter === null)
    return gap('no_amount', 'At the least amount its costs leave no rate.');
  const sent = (minor: bigint) => formatShortest(toDecimal(minor, pair.send.decimals));
  const received = (minor: bigint) => formatShortest(toDecimal(minor, pair.receive.decimals));
  return {
    pair: pair.slug,
    send: pair.send.slug,
    receive: pair.receive.slug,
    from: pair.send_code,
    to: pair.receive_code,
    ...all,
    converter,
    belowPercent: belowPercent(worst.all, fraction(price.rate)),
    withoutFixedFees,
    sendFee: worst.sendFee === 0n ? null : sent(worst.sendFee),
    receiveFee: worst.receiveFee === 0n ? null : received(worst.receiveFee),
    reserve: received(shownReserve(pair.reserve, pair.receive, caps)),
    sendMin: sent(limits.min),
    sendMax: sent(limits.max),
    receiveMin: received(least.payout),
    receiveMax: received(quoteSend(price, limits.max).payout),
    lockMinutes,
  };
}

/** Rounded up to hundredths, so that any difference shows. */
function belowPercent(published: Fraction, converter: Fraction): string {
  const { numerator, denominator } = over(minus(converter, published), converter);
  const units = numerator <= 0n ? 0n : (numerator * 10_000n + denominator - 1n) / denominator;
  return formatDecimal({ units, scale: 2 });
}

/** One null without cash. Where both sides are cash, the cities that both have. */
function citiesOf(
  { send, receive }: ListedPair,
  cities: ReadonlyMap<string, readonly string[]>,
): readonly (string | null)[] {
  const [first, second] = [send, receive]
    .filter(({ kind }) => kind === 'cash')
    .map(({ slug }) => cities.get(slug) ?? []);
  if (first === undefined) return [null];
  return second === undefined ? first : first.filter((city) => second.includes(city));
}

const RATE_DECIMALS = 18;
/** Enough to get all 18 decimals of a rate below one back from its reciprocal. */
const RECIPROCAL_DECIMALS = 20;

/**
 * `in` and `out` of a rate as monitors write it, one of them being 1. Rounded down for the customer,
 * so that nobody is paid less than published. Null unless the rate is above zero.
 */
export function orient({ numerator, denominator }: Fraction): { in: string; out: string } | null {
  if (numerator <= 0n) return null;
  if (numerator >= denominator) {
    const units = (numerator * tenTo(RATE_DECIMALS)) / denominator;
    return { in: '1', out: formatShortest({ units, scale: RATE_DECIMALS }) };
  }
  const units = (denominator * tenTo(RECIPROCAL_DECIMALS) + numerator - 1n) / numerator;
  return { in: formatShortest({ units, scale: RECIPROCAL_DECIMALS }), out: '1' };
}
