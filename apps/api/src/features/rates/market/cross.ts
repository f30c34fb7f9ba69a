/**
 * Pure: the rate between any two units. Each accepted rate is an edge between its unit and its base;
 * a cross is the exact product along the path, rounded down once to 18 decimals.
 */
import { floorDivide, parseDecimal, tenTo, trimZeros, type Decimal } from '@cambist/money/decimal';
import { fraction, over, times, whole, type Fraction } from '@cambist/money/fraction';

export interface AcceptedRate {
  readonly unit: string;
  readonly base: string;
  /** Units of `unit` for one `base`, or the inverse where `inverted`. Above zero. */
  readonly rate: string;
  readonly inverted: boolean;
  readonly provider: string;
  /** The provider's own time. */
  readonly asOf: Date;
  /** When a run last confirmed it. */
  readonly confirmedAt: Date;
  /** The end of its freshness by the provider's own time and feed. */
  readonly freshUntil: Date;
  /** The questioned units whose cross would use this rate. */
  readonly awaits?: readonly string[];
}

/** The newest accepted `asOf` of a provider and unit. */
export type NewestTime = Pick<AcceptedRate, 'provider' | 'unit' | 'asOf'>;

export interface Market {
  readonly rates: readonly AcceptedRate[];
  /** The oldest rate of each cycle. */
  readonly redundant: readonly AcceptedRate[];
  /** From each unit and base to its neighbours, without cycles. */
  readonly edges: ReadonlyMap<string, readonly Step[]>;
  readonly readAt: Date;
}

/** One step along a rate, from its unit to its base or back. */
export interface Step {
  readonly to: string;
  readonly rate: AcceptedRate;
}

/** A rate made of market rates; its times are the earliest of its parts. */
export interface MarketRate {
  /** Units of `to` for one `from`; above zero, with 18 decimals at most. */
  readonly rate: Decimal;
  /** `"fixer"`, or `"fixer + coingecko"`. */
  readonly source: string;
  readonly asOf: Date;
  readonly confirmedAt: Date;
  readonly freshUntil: Date;
  /** The questioned units of all its parts. */
  readonly awaits: readonly string[];
}

export const RATE_DECIMALS = 18;
/** The column's `numeric(60, 18)`. */
const LARGEST = tenTo(60);
/** For pairs of one unit, such as cash and bank. */
const SAME_UNIT = 'same unit';
/** A rate without market rates never goes stale. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/** Adds the newest rates first, so that the oldest of a cycle is redundant; equal ones by their unit. */
export function marketOf(rates: readonly AcceptedRate[], readAt: Date): Market {
  const sorted = rates.toSorted(
    (a, b) =>
      b.confirmedAt.getTime() - a.confirmedAt.getTime() ||
      (a.unit < b.unit ? -1 : a.unit > b.unit ? 1 : 0),
  );
  const groups = new Map<string, string>();
  const groupOf = (name: string): string => {
    const above = groups.get(name);
    return above === undefined ? name : groupOf(above);
  };
  const edges = new Map<string, Step[]>();
  const connect = (from: string, to: string, rate: AcceptedRate) =>
    edges.set(from, [...(edges.get(from) ?? []), { to, rate }]);
  const redundant: AcceptedRate[] = [];
  for (const rate of sorted) {
    const [one, other] = [groupOf(rate.unit), groupOf(rate.base)];
    if (one === other) redundant.push(rate);
    else {
      groups.set(one, other);
      connect(rate.unit, rate.base, rate);
      connect(rate.base, rate.unit, rate);
    }
  }
  return { rates, redundant, edges, readAt };
}

/** Units of `to` for one `from`; null where they are not connected or the rate is not representable. */
export function cross(market: Market, from: string, to: string): MarketRate | null {
  const path = findPath(market, from, to);
  if (path === null) return null;
  const parts = path.map(({ rate }) => rate);
  const rate = marketRate(market, fractionOf(path), parts);
  return rate && parts.length === 0 ? { ...rate, source: SAME_UNIT } : rate;
}

/** `cross` without rounding. */
export function exactCross(market: Market, from: string, to: string): Fraction | null {
  const path = findPath(market, from, to);
  return path && fractionOf(path);
}

/** The only path between two units; empty for the same unit. */
export function findPath(market: Market, from: string, to: string): readonly Step[] | null {
  if (from === to) return [];
  const ways = new Map<string, readonly Step[]>([[from, []]]);
  for (const [place, way] of ways) {
    for (const edge of market.edges.get(place) ?? []) {
      if (ways.has(edge.to)) continue;
      const longer = [...way, edge];
      if (edge.to === to) return longer;
      ways.set(edge.to, longer);
    }
  }
  return null;
}

export function fractionOf(path: readonly Step[]): Fraction {
  return path.reduce((all, { to, rate }) => {
    const step = fraction(parseDecimal(rate.rate));
    // Multiply from base to unit; an inverted rate is the opposite.
    return (to === rate.unit) !== rate.inverted ? times(all, step) : over(all, step);
  }, whole(1n));
}

/** The only rounding; null where the rate is too small or too large. */
export function marketRate(
  { readAt }: Pick<Market, 'readAt'>,
  { numerator, denominator }: Fraction,
  parts: readonly AcceptedRate[],
): MarketRate | null {
  const units = floorDivide(numerator * tenTo(RATE_DECIMALS), denominator);
  if (units <= 0n || units >= LARGEST) return null;
  const earliest = (times: readonly Date[], none: Date) =>
    times.reduce((least, time) => (time < least ? time : least), times[0] ?? none);
  return {
    rate: trimZeros({ units, scale: RATE_DECIMALS }),
    source: [...new Set(parts.map(({ provider }) => provider))].join(' + '),
    asOf: earliest(
      parts.map(({ asOf }) => asOf),
      readAt,
    ),
    confirmedAt: earliest(
      parts.map(({ confirmedAt }) => confirmedAt),
      NEVER,
    ),
    freshUntil: earliest(
      parts.map(({ freshUntil }) => freshUntil),
      NEVER,
    ),
    awaits: [...new Set(parts.flatMap(({ awaits }) => awaits ?? []))].toSorted(),
  };
}
