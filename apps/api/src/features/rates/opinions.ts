/**
 * Pure: what other providers say of a rate that waits for an admin, each over its own rates alone: what
 * is counted over believed ones would be no word of its own. It is shown and decides nothing.
 */
import type { RateOpinion } from '@cambist/contract/rate-quarantine';
import { rateFailures } from '@cambist/contract/rate-settings';
import { exactCross, marketOf } from '#features/market/market.ts';
import type { AttemptJson, OpinionJson } from '#platform/rate-tables.ts';
import { changePercent, differ, fractionFor, says, written, type Edge } from './comparison.ts';
import { sift, type SiftLaw } from './faults.ts';
import type { Heard, Jump } from './law.ts';
import type { GivenRate } from './provider.ts';
import { labelOf } from './providers.ts';

/** What became of a provider in a run, and what is sound of it. */
export interface Word {
  readonly provider: string;
  /** Who was not asked may say its last rates again, and which it lacks nobody knows. */
  readonly wasAsked: boolean;
  readonly answered: boolean;
  readonly rates: readonly GivenRate[];
  readonly heardAt: Date;
}

export function wordsOf(
  law: SiftLaw,
  {
    heard,
    attempts,
  }: { readonly heard: readonly Heard[]; readonly attempts: readonly AttemptJson[] },
): Word[] {
  return attempts.map(({ provider, outcome }) => {
    const own = heard.find((each) => each.provider === provider);
    const answered = outcome === 'ok';
    return {
      provider,
      answered,
      wasAsked: answered || rateFailures.some((failure) => failure === outcome),
      // What waits and is repeated was said in another run.
      rates: own ? sift(law, own).sound.rates.filter(({ heardAt }) => heardAt === undefined) : [],
      heardAt: own?.heardAt ?? law.now,
    };
  });
}

type Asked = Edge & { readonly provider: string };

/** On a question that waits, if `before` is the same one: what was said of it then and not anew since. */
export function opinionsOn(
  jump: Asked | Jump,
  words: readonly Word[],
  before: (Edge & { readonly opinions: readonly OpinionJson[] | null }) | undefined,
): OpinionJson[] {
  const former =
    before !== undefined && says([before], jump) && before.inverted === jump.inverted
      ? (before.opinions ?? []).filter(({ provider }) => provider !== jump.provider)
      : [];
  const hasAnswered = (name: string) =>
    former.some(({ provider, answered }) => provider === name && answered);
  const now = words
    .filter(({ provider }) => provider !== jump.provider)
    .flatMap((word) => opinionOf(jump, word))
    // That it is silent now takes nothing back.
    .filter(({ provider, answered }) => answered || !hasAnswered(provider));
  const isAnew = (name: string) => now.some(({ provider }) => provider === name);
  return [...now, ...former.filter(({ provider }) => !isAnew(provider))];
}

function opinionOf({ unit, base, inverted }: Edge, word: Word): OpinionJson[] {
  const { provider, rates, heardAt, wasAsked, answered } = word;
  const isOfBoth = (given: GivenRate) =>
    (given.unit === unit && given.base === base) || (given.unit === base && given.base === unit);
  const own = rates.find(isOfBoth);
  const times = { confirmedAt: heardAt, freshUntil: heardAt };
  const all = (own ? [own] : rates).map((given) => ({ ...given, ...times, provider }));
  const value = exactCross(marketOf(all, heardAt), base, unit);
  const rate = value && written(value, inverted);
  const heard_at = heardAt.toISOString();
  if (rate !== null && rate !== '0') return [{ provider, rate, answered: true, heard_at }];
  return wasAsked ? [{ provider, rate: null, answered, heard_at }] : [];
}

export function presentOpinion(asked: Edge, opinion: OpinionJson): RateOpinion {
  const { provider, rate, answered, heard_at } = opinion;
  const said = { label: labelOf(provider), answered, heard_at };
  if (rate === null) return { ...said, rate, away_percent: null, agrees: null };
  const { inverted } = asked;
  const [claimed, value] = [fractionFor(asked), fractionFor({ rate, inverted })];
  const away_percent = changePercent(claimed, value, inverted);
  return { ...said, rate, away_percent, agrees: !differ(claimed, value) };
}
