/**
 * Pure: which of the rates that providers gave are believed. Each unit by
 * itself, so that one bad figure does not stop the others; what is refused
 * leaves the last good rate standing, and says why. Primary first: what it gave
 * is not replaced by another provider's, only doubted by it.
 */
import type { RateRefusal, RefusalReason } from '@cambist/contract/rates';
import type { RateApi, RateFeed, RateProviderName } from '@cambist/contract/rate-settings';
import { compare, parseDecimal, type Decimal } from '@cambist/money/decimal';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { exactCross, marketOf, type BelievedRate, type Market } from '#features/market/market.ts';
import {
  changePercent,
  differ,
  fractionFor,
  inverseIsNothing,
  moves,
  written,
} from './comparison.ts';
import type { GivenRate } from './provider.ts';

/** What one provider said in this run. */
export interface Heard {
  readonly provider: RateProviderName;
  readonly label: string;
  readonly feed: RateFeed;
  readonly rates: readonly GivenRate[];
  /** When: before this run where it was not its turn. */
  readonly heardAt: Date;
}

/** A rate that moved too far to be believed without an admin. */
export interface Jump extends Omit<BelievedRate, 'confirmedAt' | 'freshUntil'> {
  readonly provider: RateProviderName;
  /** What is believed, in the same direction. */
  readonly previous: string;
  readonly changePercent: string;
  readonly seenAt: Date;
}

export interface Judgement {
  readonly accepted: readonly BelievedRate[];
  readonly jumps: readonly Jump[];
  readonly refusals: readonly RateRefusal[];
  /** Units that are needed and not connected by what was heard in this run. */
  readonly lacking: readonly string[];
}

/** What a judge goes by. */
export interface Law {
  /** What is believed so far. */
  readonly market: Market;
  readonly now: Date;
  readonly limits: Pick<RateApi, 'jump_percent' | 'max_age_hours'>;
  readonly needed: ReadonlySet<string>;
  /** The last rates that an admin refused, by unit. */
  readonly refused: ReadonlyMap<string, Pick<BelievedRate, 'provider' | 'rate' | 'asOf'>>;
}

const MOST_AHEAD_MS = 5 * MINUTE;

/** The judge's desk during one run. */
interface Desk {
  readonly law: Law;
  readonly labels: ReadonlyMap<string, string>;
  readonly accepted: Map<string, BelievedRate>;
  readonly jumps: Map<string, Jump>;
  readonly refusals: Map<string, RateRefusal>;
  /** Doubted by a second witness: no third may decide it. */
  readonly doubted: Set<string>;
  /** What this run connects so far. */
  market: Market;
}

/** In the order in which the providers were asked. */
export function judge(heard: readonly Heard[], law: Law): Judgement {
  const desk: Desk = {
    law,
    labels: new Map(heard.map(({ provider, label }) => [provider, label])),
    accepted: new Map(),
    jumps: new Map(),
    refusals: new Map(),
    doubted: new Set(),
    market: marketOf([], law.now),
  };
  for (const each of heard) judgeProvider(desk, each);
  for (const unit of desk.accepted.keys()) desk.refusals.delete(unit);
  return {
    accepted: [...desk.accepted.values()],
    jumps: [...desk.jumps.values()],
    refusals: [...desk.refusals.values()],
    lacking: lackingOf(desk),
  };
}

function judgeProvider(desk: Desk, heard: Heard): void {
  const offBases = new Set(
    heard.rates
      .filter(({ unit, base, rate }) => unit === base && !isOne(rate))
      .map(({ base }) => base),
  );
  // A quote in terms of what the desk needs first, then those that doubt a base, then the rest.
  const rank = ({ unit, base }: GivenRate) =>
    (desk.law.needed.has(base) ? 0 : 2) + (desk.accepted.has(unit) ? 1 : 0);
  for (const given of heard.rates.toSorted((a, b) => rank(a) - rank(b))) {
    if (given.unit === given.base || settled(desk, given.unit)) continue;
    const fault = offBases.has(given.base)
      ? fail('base_not_one', `${given.base} in terms of itself was not 1.`)
      : faultOf(desk.law, heard, given);
    if (fault === null) weigh(desk, heard, given);
    else if (!desk.accepted.has(given.unit)) refuse(desk, heard, given.unit, fault);
  }
}

function settled(desk: Desk, unit: string): boolean {
  return desk.jumps.has(unit) || desk.doubted.has(unit);
}

interface Fault {
  readonly reason: RefusalReason;
  readonly message: string;
}

const fail = (reason: RefusalReason, message: string): Fault => ({ reason, message });

function time(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'at no time that can be read';
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** What is wrong with one figure by itself. */
function faultOf(law: Law, { label, provider, feed }: Heard, given: GivenRate): Fault | null {
  const { unit, rate, asOf } = given;
  const decimal = decimalOf(rate);
  if (decimal === null) return fail('not_a_rate', `${label} gave ${rate} for ${unit}.`);
  if (inverseIsNothing(decimal))
    return fail(
      'inverse_too_small',
      `${label} gave ${rate} for ${unit}; the other way round no digit is left.`,
    );
  const ageMs = law.now.getTime() - asOf.getTime();
  if (!(ageMs >= -MOST_AHEAD_MS))
    return fail(
      'from_the_future',
      `${label} dates its rate of ${unit} ${time(asOf)}, which has not come yet.`,
    );
  const mostHours = law.limits.max_age_hours[feed];
  if (ageMs > mostHours * HOUR)
    return fail(
      'too_old',
      `${label}'s rate of ${unit} is of ${time(asOf)}, older than ${mostHours} hours.`,
    );
  const last = law.market.rates.find((each) => each.unit === unit);
  // Another provider's clock is not this one's: its figure has only the age that its kind allows.
  if (last?.provider === provider && asOf < last.asOf)
    return fail(
      'older_than_last',
      `${label}'s rate of ${unit} is of ${time(asOf)}, older than its last one of ${time(last.asOf)}.`,
    );
  const refused = law.refused.get(unit);
  if (
    refused?.provider === provider &&
    refused.asOf.getTime() === asOf.getTime() &&
    compare(parseDecimal(refused.rate), decimal) === 0
  )
    return fail(
      'refused_before',
      `An admin refused ${rate} for ${unit}, and ${label} still says so.`,
    );
  return null;
}

/** Believes it, puts it aside as a jump, or lets it doubt what was believed. */
function weigh(desk: Desk, heard: Heard, given: GivenRate): void {
  const { law } = desk;
  const { unit, base } = given;
  const value = fractionFor(given);
  const before = exactCross(law.market, base, unit);
  const jumps = before !== null && moves(before, value, law.limits.jump_percent);
  const known = exactCross(desk.market, base, unit);
  if (known !== null) {
    // A witness who is beside himself is not heard against others.
    if (!jumps && differ(known, value)) doubt(desk, heard, given);
    return;
  }
  if (desk.accepted.has(unit)) return;
  const { rate, inverted, asOf } = given;
  const { provider, feed, heardAt } = heard;
  if (jumps) {
    desk.jumps.set(unit, {
      unit,
      base,
      rate,
      inverted,
      provider,
      asOf,
      previous: written(before, inverted),
      changePercent: changePercent(before, value, inverted),
      seenAt: heardAt,
    });
    desk.refusals.delete(unit);
  } else {
    desk.accepted.set(unit, {
      unit,
      base,
      rate,
      inverted,
      provider,
      asOf,
      confirmedAt: heardAt,
      freshUntil: new Date(asOf.getTime() + law.limits.max_age_hours[feed] * HOUR),
    });
  }
  connect(desk);
}

/** Two say what cannot both be true: neither is believed, and what was believed before stands. */
function doubt(desk: Desk, heard: Heard, { unit, base }: GivenRate): void {
  const against =
    desk.accepted.get(unit) ??
    [desk.accepted.get(base)].find((each) => each !== undefined && each.base === unit);
  if (against === undefined) return;
  const inside = against.provider === heard.provider;
  desk.accepted.delete(against.unit);
  desk.doubted.add(against.unit);
  refuse(
    desk,
    heard,
    against.unit,
    inside
      ? fail(
          'inconsistent',
          `${heard.label}'s own rates of ${against.unit} differ by more than 2 %.`,
        )
      : fail(
          'contradicted',
          `${desk.labels.get(against.provider)} and ${heard.label} differ by more than 2 % about ${against.unit}.`,
        ),
  );
  connect(desk);
}

function refuse({ refusals }: Desk, { provider }: Heard, unit: string, fault: Fault): void {
  if (!refusals.has(unit)) refusals.set(unit, { unit, provider, ...fault });
}

/** With what stays believed of units on which this run brought no decision. */
function connect(desk: Desk): void {
  const standing = desk.law.market.rates.filter(({ unit }) => settled(desk, unit));
  desk.market = marketOf([...desk.accepted.values(), ...standing], desk.law.now);
}

/** Those that this run does not connect with the most of the others. */
function lackingOf({ market, law: { needed } }: Desk): string[] {
  const groups: string[][] = [];
  for (const unit of needed) {
    const group = groups.find(([first = '']) => exactCross(market, first, unit) !== null);
    if (group) group.push(unit);
    else groups.push([unit]);
  }
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
  // A single unit has no rate to lack; two that nothing connects both do.
  const found = largest.length > 1 || needed.size === 1 ? new Set(largest) : new Set<string>();
  return [...needed].filter((unit) => !found.has(unit)).toSorted();
}

function isOne(rate: string): boolean {
  const decimal = decimalOf(rate);
  return decimal !== null && compare(decimal, parseDecimal('1')) === 0;
}

/** Above zero, and no more digits than the column keeps; null for anything else. */
function decimalOf(rate: string): Decimal | null {
  if (!/^\d{1,42}(\.\d{1,18})?$/.test(rate)) return null;
  const decimal = parseDecimal(rate);
  return decimal.units > 0n ? decimal : null;
}
