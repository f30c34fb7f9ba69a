/**
 * Pure: which of the rates that providers gave are believed. Each unit by
 * itself, so that one bad figure does not stop the others; what is refused
 * leaves the last good rate standing, and says why. Primary first: what it gave
 * is not replaced by another provider's, only doubted by it.
 */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import type { RateRefusal } from '@cambist/contract/rates';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import {
  exactCross,
  findPath,
  marketOf,
  type BelievedRate,
  type Market,
} from '#features/market/market.ts';
import { changePercent, differ, fractionFor, written } from './comparison.ts';
import { farFirsts, farOf, isBelieved, isFormer, isOutvoted, type Far } from './far.ts';
import { fail, faultOf, isOne, spoken, type Fault } from './faults.ts';
import { lackingOf } from './lacking.ts';
import type { Heard, Judgement, Jump, Law } from './law.ts';
import type { GivenRate } from './provider.ts';

/** Believed because one of the providers said so. */
type Accepted = BelievedRate & Pick<Heard, 'provider'>;

/** The judge's desk during one run. */
interface Desk {
  readonly law: Law;
  readonly labels: ReadonlyMap<string, string>;
  readonly accepted: Map<string, Accepted>;
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
  judgeFirsts(desk);
  for (const unit of desk.accepted.keys()) desk.refusals.delete(unit);
  return {
    accepted: [...desk.accepted.values()],
    jumps: [...desk.jumps.values()],
    refusals: [...desk.refusals.values()],
    lacking: lackingOf(desk.market, law.needed),
  };
}

function judgeProvider(desk: Desk, heard: Heard): void {
  const offBases = new Set(
    heard.rates
      .filter(({ unit, base, rate }) => unit === base && !isOne(rate))
      .map(({ base }) => base),
  );
  const sound = heard.rates.toSorted(byRank(desk)).filter((given) => {
    if (given.unit === given.base || settled(desk, given.unit)) return false;
    const fault = offBases.has(given.base)
      ? fail('base_not_one', `${given.base} in terms of itself was not 1.`)
      : faultOf(desk.law, heard, given);
    if (fault !== null && !desk.accepted.has(given.unit)) refuse(desk, heard, given.unit, fault);
    return fault === null;
  });
  const besideThemselves = blameBases(desk, heard, sound);
  for (const given of sound) {
    if (!settled(desk, given.unit)) weigh(desk, heard, given, besideThemselves.has(given.base));
  }
}

/**
 * A quote in terms of what the desk needs first, then those that doubt a base, then the rest. What
 * can only be compared over a unit that is new comes after it.
 */
function byRank({ law, accepted }: Desk): (a: GivenRate, b: GivenRate) => number {
  const rank = ({ unit, base }: GivenRate) =>
    (law.needed.has(base) ? 0 : 2) +
    (accepted.has(unit) ? 1 : 0) +
    (isBelieved(law, unit) && exactCross(law.market, base, unit) === null ? 4 : 0);
  return (a, b) => rank(a) - rank(b);
}

function settled(desk: Desk, unit: string): boolean {
  return desk.jumps.has(unit) || desk.doubted.has(unit);
}

/** Believes it, puts it aside for a person, or lets it doubt what was believed. */
function weigh(desk: Desk, heard: Heard, given: GivenRate, isDeaf: boolean): void {
  const { law, accepted } = desk;
  const { unit, base } = given;
  const far = farOf(law, [...accepted.values()], given);
  const known = exactCross(desk.market, base, unit);
  if (known !== null) {
    // In terms of a base that is doubted it says nothing about others.
    if (isDeaf || desk.doubted.has(base)) return;
    if (differ(known, fractionFor(given))) doubt(desk, heard, given, far);
    return;
  }
  if (accepted.has(unit)) return;
  if (far !== null && isFormer(law, given, heard.provider)) {
    const message = `An admin accepted another rate for ${unit}, and ${heard.label} still says the former.`;
    refuse(desk, heard, unit, fail('refused_before', message));
  } else if (far !== null) putAside(desk, heard, given, far);
  else {
    const newer = newerOf(law, heard, given);
    if (newer === null) accept(desk, heard, given);
    else refuse(desk, heard, unit, newer);
  }
  connect(desk);
}

/** A fall-back's figure with an older time than the believed one's waits until that is stale. */
function newerOf(law: Law, { provider, label }: Heard, given: GivenRate): Fault | null {
  const { market, limits, order, now } = law;
  const { unit, base, asOf } = given;
  const rates = (findPath(market, base, unit) ?? []).map(({ rate }) => rate);
  const isStale = rates.some(
    ({ confirmedAt, freshUntil }) =>
      now > freshUntil || now.getTime() - confirmedAt.getTime() > limits.stale_minutes * MINUTE,
  );
  const place = (name: string) => order.indexOf(name);
  const isFallBack = rates.some(
    (rate) => place(rate.provider) !== -1 && place(rate.provider) < place(provider),
  );
  const last = rates.find((rate) => rate.asOf > asOf);
  // Who stands before in the list takes its place back with what its kind of feed has.
  if (isStale || !isFallBack || last === undefined) return null;
  return fail(
    'older_than_last',
    `${label}'s rate of ${unit} is of ${spoken(asOf)}, older than the believed one of ${spoken(last.asOf)}, which is not stale yet.`,
  );
}

function accept(desk: Desk, { provider, feed, heardAt }: Heard, given: GivenRate): void {
  const { unit, base, rate, inverted, asOf } = given;
  const mostHours = desk.law.limits.max_age_hours[feed];
  desk.accepted.set(unit, {
    unit,
    base,
    rate,
    inverted,
    provider,
    asOf,
    confirmedAt: heardAt,
    freshUntil: new Date(asOf.getTime() + mostHours * HOUR),
  });
}

function putAside(
  desk: Desk,
  { provider, heardAt }: Pick<Heard, 'provider' | 'heardAt'>,
  given: GivenRate,
  { reason, previous }: { readonly reason: QuarantineReason; readonly previous: Far['previous'] },
): void {
  const { unit, base, rate, inverted, asOf } = given;
  desk.jumps.set(unit, {
    unit,
    base,
    rate,
    inverted,
    provider,
    asOf,
    reason,
    previous: previous && written(previous, inverted),
    changePercent: previous && changePercent(previous, fractionFor(given), inverted),
    seenAt: heardAt,
  });
  desk.refusals.delete(unit);
}

/** Enough figures that a majority of them says something about their base. */
const CHORUS = 3;

/**
 * Where most of a witness's figures in terms of one base contradict what this run accepted, they
 * say one thing about that base, and nothing about each unit. The bases whose figures are not heard.
 */
function blameBases(desk: Desk, heard: Heard, sound: readonly GivenRate[]): Set<string> {
  const deaf = new Set<string>();
  for (const base of new Set(sound.map((given) => given.base))) {
    const compared = sound.flatMap((given) => {
      const known = given.base === base ? exactCross(desk.market, base, given.unit) : null;
      return known === null ? [] : [{ given, isOff: differ(known, fractionFor(given)) }];
    });
    const off = compared.filter(({ isOff }) => isOff).map(({ given }) => given);
    if (compared.length < CHORUS || off.length * 2 <= compared.length) continue;
    const against = desk.accepted.get(base);
    const jumped = off.filter((given) => farOf(desk.law, [], given) !== null);
    // Below the limit, and with the same base as the others: each unit is doubted by itself.
    if (against === undefined && jumped.length * 2 <= compared.length) continue;
    deaf.add(base);
    const edge = off.find(({ unit }) => unit === against?.base);
    if (edge !== undefined) doubt(desk, heard, edge, farOf(desk.law, [], edge));
    else {
      const words = `${off.length} of ${compared.length} rates of ${heard.label} in terms of ${base} contradict what others say.`;
      if (against !== undefined) unsettle(desk, against.unit);
      refuse(desk, heard, base, fail('contradicted', words));
    }
  }
  return deaf;
}

/**
 * Two say what cannot both be true: neither is believed, and what was believed before stands. Where
 * the second one has moved too far, a person is asked about it: it may be the first that stood still.
 */
function doubt(desk: Desk, heard: Heard, given: GivenRate, far: Far | null): void {
  const { unit, base } = given;
  const against =
    desk.accepted.get(unit) ??
    [desk.accepted.get(base)].find((each) => each !== undefined && each.base === unit);
  if (against === undefined || isOutvoted(desk.law, given, heard.provider)) return;
  const inside = against.provider === heard.provider;
  unsettle(desk, against.unit);
  const [one, other] = [desk.labels.get(against.provider), heard.label];
  const fault = inside
    ? fail('inconsistent', `${other}'s own rates of ${against.unit} differ by more than 2 %.`)
    : fail('contradicted', `${one} and ${other} differ by more than 2 % about ${against.unit}.`);
  refuse(desk, heard, against.unit, fault);
  if (!inside && far?.previous) putAside(desk, heard, given, { ...far, reason: 'contradicted' });
}

/** Beside what pairs were sold at, now that all of the run is known. */
function judgeFirsts(desk: Desk): void {
  const { accepted, jumps, law } = desk;
  const aside = [...jumps.values()].map((jump) => ({
    ...jump,
    confirmedAt: jump.seenAt,
    freshUntil: jump.seenAt,
  }));
  for (const { unit, previous } of farFirsts(law, [...accepted.values()], aside)) {
    const first = accepted.get(unit);
    if (first === undefined) continue;
    unsettle(desk, unit);
    const heard = { provider: first.provider, heardAt: first.confirmedAt };
    putAside(desk, heard, first, { reason: 'jump', previous });
  }
}

/** No longer believed in this run, and nobody else decides it. */
function unsettle(desk: Desk, unit: string): void {
  desk.accepted.delete(unit);
  desk.doubted.add(unit);
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
