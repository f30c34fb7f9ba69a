/**
 * Pure: which of the rates that providers gave are believed. Each unit by
 * itself, so that one bad figure does not stop the others; what is refused
 * leaves the last good rate standing, and says why. Primary first: what it gave
 * is not replaced by another provider's, only doubted by it.
 */
import { times } from '@cambist/money/fraction';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { exactCross, findPath, marketOf } from '#features/market/market.ts';
import { chorusOf } from './chorus.ts';
import { differ, fractionFor, moves } from './comparison.ts';
import { doubt } from './doubt.ts';
import {
  farFirsts,
  farOf,
  isBelieved,
  isFormer,
  leadsSomewhere,
  refusalOf,
  type Far,
} from './far.ts';
import { fail, refusedWords, sift, spokenApart, type Fault } from './faults.ts';
import {
  accept,
  connect,
  putAside,
  putOff,
  refuse,
  settled,
  unsettle,
  type Desk,
} from './judges-desk.ts';
import { lackingOf } from './lacking.ts';
import type { Heard, Judgement, Law, Outvoted } from './law.ts';
import { isOverJump, waitsWithJump } from './over-jump.ts';
import type { GivenRate } from './provider.ts';
import { refuseUnsound } from './unsound.ts';

/** In the order in which the providers were asked. */
export function judge(heard: readonly Heard[], law: Law): Judgement {
  const sifted = heard.map((each) => sift(law, each));
  const desk: Desk = {
    heard: sifted.map(({ sound }) => sound),
    law: { ...law, outvoted: law.outvoted.filter(standsIn(law)) },
    labels: new Map(heard.map(({ provider, label }) => [provider, label])),
    accepted: new Map(),
    jumps: new Map(),
    refusals: new Map(),
    doubted: new Set(),
    incomparable: new Map(),
    later: new Map(),
    phase: 'first',
    market: marketOf([], law.now),
  };
  for (const { sound } of sifted) judgeProvider(desk, sound);
  judgeLater(desk);
  judgeIncomparable(desk);
  judgeFirsts(desk);
  for (const unit of desk.accepted.keys()) desk.refusals.delete(unit);
  const besides = refuseUnsound(desk, sifted);
  return {
    accepted: [...desk.accepted.values()],
    jumps: [...desk.jumps.values()],
    refusals: [...desk.refusals.values()].flatMap(([first]) => first ?? []),
    refused: [...desk.refusals.values()].flat(),
    besides,
    lacking: lackingOf(desk.market, law.needed),
  };
}

/** What others say is passed over only while the one who was believed instead can be heard. */
function standsIn({ order, silent }: Law): (word: Outvoted) => boolean {
  return ({ whose, provider }) =>
    whose === 'its' || (order.includes(provider) && !silent.has(provider));
}

function judgeProvider(desk: Desk, sound: Heard): void {
  const isOpen = ({ unit }: GivenRate) => !settled(desk, unit);
  hear(desk, sound, sound.rates.toSorted(byRank(desk)).filter(isOpen));
}

function hear(desk: Desk, heard: Heard, sound: readonly GivenRate[]): void {
  const besideThemselves = blameBases(desk, heard, sound);
  for (const given of sound) {
    if (!settled(desk, given.unit)) weigh(desk, heard, given, besideThemselves.has(given.base));
  }
}

/** Second opinions that nothing connected with the first when they were heard, and each one's own. */
function judgeLater(desk: Desk): void {
  desk.phase = 'later';
  for (const [heard, rates] of desk.later) {
    const open = rates.filter(({ unit }) => !settled(desk, unit));
    hear(desk, heard, open);
  }
}

/**
 * A quote in terms of what the desk needs first, then those that doubt a base, then the rest. What
 * can only be compared over a unit that is new comes after it, and last what only a rate in doubt
 * compares. Of equals, what others are believed in terms of: whether it has jumped is known before
 * they are compared over it.
 */
function byRank(desk: Desk): (a: GivenRate, b: GivenRate) => number {
  const { law, accepted } = desk;
  const rank = ({ unit, base }: GivenRate) =>
    (law.needed.has(base) ? 0 : 2) +
    (accepted.has(unit) ? 1 : 0) +
    (isBelieved(law, unit) && exactCross(law.market, base, unit) === null ? 4 : 0) +
    (isOverJump(desk, law.market, base, unit) ? 8 : 0);
  const measures = new Set(law.market.rates.map(({ base }) => base));
  const later = ({ unit }: GivenRate) => (measures.has(unit) ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || later(a) - later(b);
}

/** Believes it, puts it aside for a person, or lets it doubt what was believed. */
function weigh(desk: Desk, heard: Heard, given: GivenRate, isDeaf: boolean): void {
  const { law, accepted } = desk;
  const { unit, base } = given;
  const isSecond = accepted.get(unit)?.provider === heard.provider;
  if (isSecond && !isDeaf && putOff(desk, heard, given)) return;
  // In terms of a base that is doubted it says nothing about others, but over its own rate of that.
  if (desk.doubted.has(base) && accepted.has(unit)) {
    if (!isDeaf) weighByOwn(desk, heard, given);
    return;
  }
  const far = farOf(law, [...accepted.values()], given);
  const known = exactCross(desk.market, base, unit);
  if (known !== null) {
    if (isDeaf || desk.doubted.has(base)) return;
    // Nor over a jump that waits.
    if (!isOverJump(desk, desk.market, base, unit) && differ(known, fractionFor(given)))
      doubt(desk, heard, given, far);
    return;
  }
  if (accepted.has(unit)) {
    if (!isDeaf) putOff(desk, heard, given);
    return;
  }
  if (far?.reason === 'no_comparison') {
    if (!desk.incomparable.has(unit)) desk.incomparable.set(unit, { heard, given });
    return;
  }
  const fault = standingOf(desk, heard, given, far);
  if (fault !== null) refuse(desk, heard, unit, fault);
  else if (far !== null) putAside(desk, heard, given, far);
  else accept(desk, heard, given);
  connect(desk);
}

/**
 * A witness who contradicts the believed rate of a base may agree about another unit in terms of that
 * base alone because both moved: so it is asked over its own rate of the base.
 */
function weighByOwn(desk: Desk, heard: Heard, given: GivenRate): void {
  const against = desk.accepted.get(given.unit);
  const known = against && exactCross(desk.market, against.base, given.unit);
  if (!known) return;
  const moved = farOf(desk.law, [], given);
  // Given in the same base, no rate of that stands between the two.
  if (against.base === given.base) {
    if (differ(known, fractionFor(given))) doubt(desk, heard, given, moved);
    return;
  }
  const own = heard.rates.find(({ unit, base }) => unit === against.base && base === given.base);
  if (own === undefined) return;
  const previous = times(fractionFor(own), known);
  if (!differ(previous, fractionFor(given))) return;
  const { jump_percent } = desk.law.limits;
  // A person is asked about what moved, be it over the base alone: not about what is believed already.
  const isFar =
    moves(previous, fractionFor(given), jump_percent, given.inverted) &&
    (moved !== null || farOf(desk.law, [], own) !== null);
  doubt(desk, heard, given, isFar ? { reason: 'jump', previous } : null);
}

/** Why the last good rate is better than this one, and nobody has to be asked; null where it is not. */
function standingOf(desk: Desk, heard: Heard, given: GivenRate, far: Far | null): Fault | null {
  const { law } = desk;
  const { unit, base } = given;
  if (isBelieved(law, unit) && waitsWithJump(desk, heard, given, far))
    return fail(
      'base_waits',
      `${heard.label} gives ${unit} in terms of ${base}, and between the two stands a rate that waits for an admin.`,
    );
  const refusal = refusalOf(law, given, heard.provider);
  if (refusal !== null && !(far === null && isAsBelieved(law, given)))
    return fail('refused_before', refusedWords(heard, refusal));
  if (far === null) return newerOf(law, heard, given);
  if (!isFormer(law, given, heard.provider)) return null;
  const message = `An admin accepted another rate for ${unit}, and ${heard.label} still says the former.`;
  return fail('refused_before', message);
}

/** What was believed has come there by itself: then a no to the figure means nothing any more. */
function isAsBelieved({ market }: Law, given: GivenRate): boolean {
  const known = exactCross(market, given.base, given.unit);
  return known !== null && !differ(known, fractionFor(given));
}

/** The next run of the hour has its answers by then: it begins within a minute, and has 90 seconds. */
const nextRunBy = (now: Date) => now.getTime() - (now.getTime() % HOUR) + HOUR + 3 * MINUTE;

/**
 * A fall-back's figure with an older time than the believed one's waits as long as that holds to the
 * next run: were it refused in the last one before, the pairs would be closed in between.
 */
function newerOf(law: Law, { provider, label }: Heard, given: GivenRate): Fault | null {
  const { market, limits, order, now } = law;
  const { unit, base, asOf } = given;
  const rates = (findPath(market, base, unit) ?? []).map(({ rate }) => rate);
  const until = nextRunBy(now);
  const isStaleSoon = rates.some(
    ({ confirmedAt, freshUntil }) =>
      until > freshUntil.getTime() || until > confirmedAt.getTime() + limits.stale_minutes * MINUTE,
  );
  const place = (name: string) => order.indexOf(name);
  const isFallBack = rates.some(
    (rate) => place(rate.provider) !== -1 && place(rate.provider) < place(provider),
  );
  const last = rates.find((rate) => rate.asOf > asOf);
  // Who stands before in the list takes its place back with what its kind of feed has.
  if (isStaleSoon || !isFallBack || last === undefined) return null;
  const [own, believed] = spokenApart(asOf, last.asOf);
  return fail(
    'older_than_last',
    `The rate of ${unit} from ${label} is of ${own}, older than the believed one of ${believed}, which holds until the next run.`,
  );
}

/** What most of a witness's figures in one base say of that base. The bases whose figures are not heard. */
function blameBases(desk: Desk, heard: Heard, sound: readonly GivenRate[]): Set<string> {
  const deaf = new Set<string>();
  for (const base of new Set(sound.map((given) => given.base))) {
    const chorus = chorusOf(desk, heard, base, sound);
    if (chorus === null) continue;
    const { off, compared, bridge, own, isOwnUnits } = chorus;
    if (own !== null) {
      doubt(desk, heard, own, farOf(desk.law, [], own));
      // All else is asked over its own rate of the base, unless an admin has spoken against that one.
      if (!desk.doubted.has(base)) deaf.add(base);
      continue;
    }
    deaf.add(base);
    if (isOwnUnits) for (const given of off) doubt(desk, heard, given, null);
    const words = `${off.length} of ${compared} rates of ${heard.label} in terms of ${base} contradict what others say.`;
    if (bridge !== null) unsettle(desk, bridge.unit);
    refuse(desk, heard, bridge?.unit ?? base, fail('contradicted', words));
  }
  return deaf;
}

/** What no provider of the run made comparable waits for a person, if something could be sold at it. */
function judgeIncomparable(desk: Desk): void {
  for (const { heard, given } of desk.incomparable.values()) {
    const { unit, base } = given;
    if (settled(desk, unit)) continue;
    const far = farOf(desk.law, [...desk.accepted.values()], given);
    const refusal = refusalOf(desk.law, given, heard.provider);
    if (far?.reason !== 'no_comparison') weigh(desk, heard, given, false);
    else if (desk.accepted.has(unit)) continue;
    else if (refusal !== null)
      refuse(desk, heard, unit, fail('refused_before', refusedWords(heard, refusal)));
    else if (leadsSomewhere(desk.law, [...desk.accepted.values()], given))
      putAside(desk, heard, given, far);
    else {
      const words = `${heard.label} gives ${unit} in terms of ${base}, which nothing connects with what the desk needs.`;
      refuse(desk, heard, unit, fail('unconnected', words));
    }
  }
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
