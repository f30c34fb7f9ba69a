/**
 * Pure: whether a rate went so far from what is believed that a person must say
 * yes to it, and whether a person has said already what they think of it.
 */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import { compareFractions, inverse, times, type Fraction } from '@cambist/money/fraction';
import { exactCross, marketOf, type BelievedRate } from '#features/market/market.ts';
import { differ, fractionFor, moves, roundsTo, type Edge } from './comparison.ts';
import type { Law, Outvoted } from './law.ts';
import type { GivenRate } from './provider.ts';

export interface Far {
  readonly reason: Exclude<QuarantineReason, 'contradicted'>;
  /** What it was compared with; null where there was no way to compare it. */
  readonly previous: Fraction | null;
}

/**
 * Null where it moved no further than the limits allow, or is the unit's first and no pair was sold
 * lately at a rate that it could be compared with. One pair that it is far from is enough.
 */
export function farOf(law: Law, accepted: readonly BelievedRate[], given: GivenRate): Far | null {
  const { market, limits, now } = law;
  const { unit, base, inverted } = given;
  const value = fractionFor(given);
  // A provider with another base is compared over what this run accepted meanwhile.
  const known =
    exactCross(market, base, unit) ??
    exactCross(marketOf([...market.rates, ...accepted], now), base, unit);
  if (known === null && isBelieved(law, unit)) return { reason: 'no_comparison', previous: null };
  const all = known === null ? soldFor(law, accepted, given) : [known];
  const before = all.find((each) => moves(each, value, limits.jump_percent, inverted));
  if (before !== undefined) return { reason: 'jump', previous: before };
  // Another provider gives what is believed in terms of its own base, with the digits that it has; with one or two it would be anything.
  if (known !== null && roundsTo(known, given) && !differ(known, value)) return null;
  const past = driftedFrom(law, given);
  return past && { reason: 'drift', previous: past };
}

/** What went away and came back within a day drifted nowhere: by both limits it is where it was the day before. */
function driftedFrom({ dayAgo, twoDaysAgo, limits }: Law, given: GivenRate): Fraction | null {
  const { unit, base, inverted } = given;
  const isFar = (past: Fraction) => moves(past, fractionFor(given), limits.day_percent, inverted);
  const [past = null] = dayAgo.flatMap((each) => exactCross(each, base, unit) ?? []);
  if (past === null || !isFar(past)) return null;
  const before = twoDaysAgo === undefined ? null : exactCross(twoDaysAgo, base, unit);
  const isBack =
    before !== null &&
    !isFar(before) &&
    !moves(before, fractionFor(given), limits.jump_percent, inverted);
  return isBack ? null : past;
}

/**
 * What pairs of the unit were sold at, of one `base`: each by itself, since its own customers are
 * asked to pay the new one. What lies between the base and a pair's other unit is what the run has
 * accepted. Only where no pair can be put so, all pairs together say it, the newest of a ring first.
 */
function soldFor(
  { sold = [], market, now }: Law,
  accepted: readonly BelievedRate[],
  { unit, base }: Edge,
): Fraction[] {
  const bridges = marketOf([...market.rates, ...accepted], now);
  const own = sold.flatMap((pair) => {
    if (!isOf(pair, unit)) return [];
    const other = pair.unit === unit ? pair.base : pair.unit;
    const bridge = exactCross(bridges, base, other);
    const rate = exactCross(marketOf([pair], now), other, unit);
    return bridge && rate ? [times(bridge, rate)] : [];
  });
  return own.length > 0 ? own : [exactCross(marketOf(sold, now), base, unit) ?? []].flat();
}

/** A first rate that was believed in this run before a sold pair could be put beside it. */
export interface FarFirst {
  readonly unit: string;
  readonly previous: Fraction;
}

/**
 * The first rates that no pair they were sold in agrees with, once the run has said all it knows:
 * what lies between them may have come later than they did. A pair speaks against both of its
 * units alike, so what is put `aside` already is what its unit was said to be.
 */
export function farFirsts(
  law: Law,
  accepted: readonly BelievedRate[],
  aside: readonly BelievedRate[],
): FarFirst[] {
  const { sold = [], limits, now } = law;
  return accepted.flatMap((first) => {
    if (isBelieved(law, first.unit)) return [];
    const own = sold.filter((pair) => isOf(pair, first.unit));
    const all = [
      ...soldFor({ ...law, sold: own }, [...accepted, ...aside], first),
      // What was sold may agree with itself, beside a bridge that has jumped.
      ...[exactCross(marketOf(sold, now), first.base, first.unit) ?? []].flat(),
    ];
    const value = fractionFor(first);
    const isFar = (each: Fraction) => moves(each, value, limits.jump_percent, first.inverted);
    const [previous] = all;
    return previous !== undefined && all.every(isFar) ? [{ unit: first.unit, previous }] : [];
  });
}

const isOf = ({ unit, base }: BelievedRate, one: string) => unit === one || base === one;

export function isBelieved({ market }: Law, unit: string): boolean {
  return market.rates.some((rate) => rate.unit === unit);
}

/** Whether anything that the desk needs could be sold at it, were it believed. */
export function leadsSomewhere(
  { market, needed, now }: Law,
  accepted: readonly BelievedRate[],
  { unit, base }: Edge,
): boolean {
  const others = [...market.rates, ...accepted].filter((rate) => rate.unit !== unit);
  const around = marketOf(others, now);
  return [...needed].some((each) => each !== unit && exactCross(around, base, each) !== null);
}

/** Whether it says again, within what two witnesses may differ by, what a person spoke against. */
export function isOutvoted(law: Law, given: GivenRate, provider: string): boolean {
  return isFormer(law, given, provider) || refusalOf(law, given, provider) !== null;
}

/** With what this provider was refused lately that means this figure too; null where it was not. */
export function refusalOf(law: Law, given: GivenRate, provider: string): Outvoted | null {
  const refusal = law.outvoted.find(
    (each) =>
      each.whose === 'its' &&
      each.provider === provider &&
      (each.isExact ? isSame(given, each) : saysAgain(law, given, each)),
  );
  return refusal ?? null;
}

/** Whether it still says what a person's yes to another provider's rate has ended. */
export function isFormer(law: Law, given: GivenRate, provider: string): boolean {
  return law.outvoted.some(
    (each) => each.whose === 'others' && each.provider !== provider && saysAgain(law, given, each),
  );
}

const isSame = (one: Edge, other: Edge) =>
  one.unit === other.unit &&
  one.base === other.base &&
  compareFractions(fractionFor(one), fractionFor(other)) === 0;

const isNothing = (rate: string) => !/[1-9]/.test(rate);

function saysAgain({ market }: Law, given: Edge, former: Edge): boolean {
  // A figure so small that nothing of it was written says nothing.
  if (isNothing(former.rate)) return false;
  const [value, said] = [fractionFor(given), fractionFor(former)];
  if (given.unit === former.base && given.base === former.unit)
    return !differ(inverse(said), value);
  if (given.unit !== former.unit) return false;
  const bridge = exactCross(market, former.base, given.base);
  if (bridge === null) return false;
  return !differ(said, times(value, bridge));
}
