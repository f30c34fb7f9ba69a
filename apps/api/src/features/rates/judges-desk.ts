/**
 * The judge's desk during one run: what is believed of what was heard, what was put
 * aside for a person, and what was refused, and what the run connects so far.
 */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import { HOUR } from '#kernel/clock.ts';
import { marketOf, type BelievedRate, type Market } from '#features/market/market.ts';
import { changePercent, fractionFor, writtenRate } from './comparison.ts';
import type { Far } from './far.ts';
import type { Fault } from './faults.ts';
import type { Heard, Jump, Law, Refused } from './law.ts';
import type { GivenRate } from './provider.ts';

/** Believed because one of the providers said so. */
export type Accepted = BelievedRate & Pick<Heard, 'provider'>;

/** The judge's desk during one run. */
export interface Desk {
  readonly law: Law;
  /** All providers of the run, with what is sound of it alone. */
  readonly heard: readonly Heard[];
  readonly labels: ReadonlyMap<string, string>;
  readonly accepted: Map<string, Accepted>;
  readonly jumps: Map<string, Jump>;
  /** Of each unit, in the order in which its rates were refused: the first one is told. */
  readonly refusals: Map<string, readonly Refused[]>;
  /** Doubted by a second witness: no third may decide it. */
  readonly doubted: Set<string>;
  /** What could not be compared with anything yet; a later provider may connect it. */
  readonly incomparable: Map<string, { readonly heard: Heard; readonly given: GivenRate }>;
  /** Second figures of believed units, put off until every provider's first ones are judged. */
  readonly later: Map<Heard, readonly GivenRate[]>;
  phase: 'first' | 'later';
  /** What this run connects so far. */
  market: Market;
}

export function settled(desk: Desk, unit: string): boolean {
  return desk.jumps.has(unit) || desk.doubted.has(unit);
}

export function accept(desk: Desk, { provider, feed, heardAt }: Heard, given: GivenRate): void {
  const mostHours = desk.law.limits.max_age_hours[feed];
  desk.accepted.set(given.unit, {
    ...figureOf(given),
    provider,
    confirmedAt: given.heardAt ?? heardAt,
    freshUntil: new Date(given.asOf.getTime() + mostHours * HOUR),
  });
}

interface Question {
  readonly reason: QuarantineReason;
  readonly previous: Far['previous'];
  readonly former?: Far['previous'];
  readonly contradictedBy?: Jump['contradictedBy'];
}

/** A former figure that cannot be written: a yes speaks against nobody then, and not against the previous one. */
const NOTHING = '0';

export function putAside(
  desk: Desk,
  { provider, heardAt }: Pick<Heard, 'provider' | 'heardAt'>,
  given: GivenRate,
  { reason, previous, former = null, contradictedBy = null }: Question,
): void {
  const figure = figureOf(given);
  desk.jumps.set(figure.unit, {
    ...figure,
    provider,
    reason,
    previous: previous && writtenRate(previous, figure.inverted),
    former: former && (writtenRate(former, figure.inverted) ?? NOTHING),
    contradictedBy,
    changePercent: previous && changePercent(previous, fractionFor(figure), figure.inverted),
    seenAt: given.heardAt ?? heardAt,
  });
  desk.refusals.delete(figure.unit);
}

/** What was said, without what was made of it since. */
function figureOf({ unit, base, rate, inverted, asOf }: GivenRate): GivenRate {
  return { unit, base, rate, inverted, asOf };
}

/** False where no later phase comes that could judge it. */
export function putOff({ phase, later }: Desk, heard: Heard, given: GivenRate): boolean {
  if (phase === 'later') return false;
  later.set(heard, [...(later.get(heard) ?? []), given]);
  return true;
}

/** No longer believed in this run, and nobody else decides it. */
export function unsettle(desk: Desk, unit: string): void {
  desk.accepted.delete(unit);
  desk.doubted.add(unit);
  connect(desk);
}

export function refuse({ refusals }: Desk, { provider }: Heard, unit: string, fault: Fault): void {
  refusals.set(unit, [...(refusals.get(unit) ?? []), { unit, provider, ...fault }]);
}

/** With what stays believed of units on which this run brought no decision. */
export function connect(desk: Desk): void {
  const standing = desk.law.market.rates.filter(({ unit }) => settled(desk, unit));
  desk.market = marketOf([...desk.accepted.values(), ...standing], desk.law.now);
}
