/** Pure: from the desk's pairs to what stands in every file, and what doesn't and why. */
import type { FeedFlag, FeedGap, FeedSettings } from '@cambist/contract/feeds';
import { toDecimal } from '@cambist/money/amount';
import { formatDecimal, formatShortest } from '@cambist/money/decimal';
import { fraction, minus, over, type Fraction } from '@cambist/money/fraction';
import { quoteSend } from '@cambist/money/quote';
import {
  sendLimits,
  standingOf,
  terms,
  type ListedPair,
  type RatePolicy,
} from '#features/pairs/pairs.ts';
import { orient } from './orient.ts';
import { worstPrice, type Charge, type WorstPrice } from './worst-price.ts';

/** One direction, in one city where it is in any. Amounts and rates in major units. */
export interface Item {
  readonly pair: string;
  /** Slugs of the currencies. */
  readonly send: string;
  readonly receive: string;
  /** Their codes. */
  readonly from: string;
  readonly to: string;
  readonly city: string | null;
  /** `out` units for `in` units, all costs inside. */
  readonly in: string;
  readonly out: string;
  /** As the settings want it in the files that can name every cost: with none inside, or all. */
  readonly classic: {
    readonly in: string;
    readonly out: string;
    /** `2.5 USD, 0.5 %`; null where there is none, or it is inside. */
    readonly sendFee: string | null;
    readonly receiveFee: string | null;
  };
  /** The rate that the converter shows. */
  readonly converter: { readonly in: string; readonly out: string };
  /** By how many percent `classic` is below it. */
  readonly belowPercent: string;
  /** The same for files that name the fixed costs by themselves. */
  readonly bare: { readonly in: string; readonly out: string };
  /** Null where there is none. */
  readonly sendFee: string | null;
  readonly receiveFee: string | null;
  readonly reserve: string;
  readonly sendMin: string;
  readonly sendMax: string;
  readonly receiveMin: string;
  readonly receiveMax: string;
  /** For how long the rate is held. */
  readonly lockMinutes: number;
  readonly flags: readonly FeedFlag[];
}

export interface Gap {
  readonly pair: string;
  readonly reason: FeedGap;
  readonly message: string;
}

export interface Listed {
  readonly items: readonly Item[];
  readonly gaps: readonly Gap[];
}

export function listItems(
  pairs: readonly ListedPair[],
  settings: FeedSettings,
  policy: RatePolicy,
): Listed {
  const excluded = new Set(settings.excluded);
  const flags = new Map(settings.pair_flags.map((each) => [each.pair, each.flags]));
  const cities = new Map(settings.cities.map((each) => [each.currency, each.cities]));
  const items: Item[] = [];
  const gaps: Gap[] = [];
  for (const pair of pairs) {
    const found = excluded.has(pair.slug)
      ? gap('excluded', 'The settings of the feeds leave it out.')
      : priced(pair, policy, settings.costs);
    if ('reason' in found) {
      gaps.push({ pair: pair.slug, ...found });
      continue;
    }
    const places = citiesOf(pair, cities);
    if (places.length === 0) {
      const why = 'Cash changes hands in a city: the settings of the feeds name none for it.';
      gaps.push({ pair: pair.slug, ...gap('no_city', why) });
    }
    const marks = flags.get(pair.slug) ?? settings.flags;
    items.push(...places.map((city) => ({ ...found, city, flags: marks })));
  }
  return { items, gaps };
}

type Priced = Omit<Item, 'city' | 'flags'>;
type Why = Omit<Gap, 'pair'>;

function gap(reason: FeedGap, message: string): Why {
  return { reason, message };
}

function priced(pair: ListedPair, policy: RatePolicy, costs: FeedSettings['costs']): Priced | Why {
  const standing = standingOf(pair, policy, pair.read_at);
  const { state } = standing;
  if (state !== 'live' && state !== 'delayed') return gap(state, standing.reason ?? '');
  const limits = sendLimits(pair);
  const price = terms(pair);
  if (limits === null || price === null) return gap('no_amount', 'No amount keeps its limits.');
  const least = quoteSend(price, limits.min);
  if (pair.reserve < least.payout)
    return gap('no_reserve', 'The reserve does not cover the least payout.');
  const worst = worstPrice(price, least, limits.max);
  const all = orient(worst.all);
  const converter = orient(fraction(price.rate));
  const bare = orient(worst.bare);
  if (all === null || bare === null || converter === null)
    return gap('no_amount', 'At the least amount its costs leave nothing to announce.');
  const sent = (minor: bigint) => formatShortest(toDecimal(minor, pair.send.decimals));
  const received = (minor: bigint) => formatShortest(toDecimal(minor, pair.receive.decimals));
  return {
    pair: pair.slug,
    send: pair.send.slug,
    receive: pair.receive.slug,
    from: pair.send_code,
    to: pair.receive_code,
    ...all,
    classic: classic(pair, worst, costs) ?? { ...all, sendFee: null, receiveFee: null },
    converter,
    belowPercent: belowPercent(costs === 'tags' ? worst.rate : worst.all, fraction(price.rate)),
    bare,
    sendFee: worst.sendFee === 0n ? null : sent(worst.sendFee),
    receiveFee: worst.receiveFee === 0n ? null : received(worst.receiveFee),
    reserve: received(pair.reserve),
    sendMin: sent(limits.min),
    sendMax: sent(limits.max),
    receiveMin: received(least.payout),
    receiveMax: received(quoteSend(price, limits.max).payout),
    lockMinutes: standing.lockMinutes,
  };
}

/** The rate with its costs beside it; null where they are wanted inside. */
function classic(
  { send, receive }: ListedPair,
  { rate, charges }: WorstPrice,
  costs: FeedSettings['costs'],
): Item['classic'] | null {
  const shown = costs === 'tags' ? orient(rate) : null;
  if (shown === null) return null;
  const told = (
    { fixed, percent }: Charge,
    { unit, decimals }: { unit: string; decimals: number },
  ) =>
    [
      ...(fixed === 0n ? [] : [`${formatShortest(toDecimal(fixed, decimals))} ${unit}`]),
      ...(percent === null ? [] : [`${formatShortest(percent)} %`]),
    ].join(', ') || null;
  return {
    ...shown,
    sendFee: told(charges.send, send),
    receiveFee: told(charges.receive, receive),
  };
}

/** Rounded up to hundredths, so that what differs at all is told. */
function belowPercent(published: Fraction, converter: Fraction): string {
  const { numerator, denominator } = over(minus(converter, published), converter);
  const units = numerator <= 0n ? 0n : (numerator * 10_000n + denominator - 1n) / denominator;
  return formatDecimal({ units, scale: 2 });
}

/** One null where no cash is in it. Where both sides are cash it changes hands in one place. */
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
