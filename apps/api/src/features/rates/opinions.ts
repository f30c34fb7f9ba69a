/**
 * Pure: what other providers say of a rate that waits for an admin, each over its own rates alone: what
 * is counted over believed ones would be no word of its own. It is shown and decides nothing.
 */
import type { RateOpinion } from '@cambist/contract/rate-quarantine';
import { rateFailures } from '@cambist/contract/rate-settings';
import { shortest } from '@cambist/money/decimal';
import { findPath, fractionOf, marketOf } from '#features/market/market.ts';
import type { AttemptJson, OpinionJson } from '#platform/json-columns.ts';
import { changePercent, differ, fractionFor, writtenRate, type Edge } from './comparison.ts';
import { sift, type SiftLaw } from './faults.ts';
import type { Heard, Jump } from './law.ts';
import type { GivenRate } from './provider.ts';
import { labelOf } from './providers.ts';
import type { ProviderState } from './store.ts';

/** What became of a provider in a run, and what is sound of it. */
export interface Word {
  readonly provider: string;
  /** Who was not asked may say its last rates again, and which it lacks nobody knows. */
  readonly wasAsked: boolean;
  readonly answered: boolean;
  readonly rates: readonly GivenRate[];
  readonly heardAt: Date;
}

interface Said {
  readonly heard: readonly Heard[];
  readonly attempts: readonly AttemptJson[];
  /** The providers, before the run. */
  readonly before: ReadonlyMap<string, Pick<ProviderState, 'last_success_at'>>;
}

export function wordsOf(law: SiftLaw, { heard, attempts, before }: Said): Word[] {
  return attempts.map(({ provider, outcome }) => {
    const own = heard.find((each) => each.provider === provider);
    const answered = outcome === 'ok';
    const wasAsked = answered || rateFailures.some((failure) => failure === outcome);
    const lastAt = before.get(provider)?.last_success_at;
    return {
      provider,
      answered,
      wasAsked,
      // What waits and is repeated was said in another run.
      rates: own ? sift(law, own).sound.rates.filter(({ heardAt }) => heardAt === undefined) : [],
      // Who has nothing new counts as heard now, and is not asked.
      heardAt: wasAsked || !lastAt ? law.now : lastAt,
    };
  });
}

type Asked = Edge & { readonly provider: string };

/** On a rate that waits: of this run, or where it asked nobody else what was said while the figure was this one. */
export function opinionsOn(
  jump: Asked | Jump,
  words: readonly Word[],
  before: (Asked & { readonly opinions: readonly OpinionJson[] | null }) | undefined,
): OpinionJson[] {
  const now = words
    .filter(({ provider }) => provider !== jump.provider)
    .flatMap((word) => opinionOf(jump, word));
  if (now.length > 0 || before === undefined || !isSame(before, jump)) return now;
  return [...(before.opinions ?? [])];
}

function isSame(one: Asked, other: Asked): boolean {
  const { unit, base, inverted, provider, rate } = other;
  return (
    one.unit === unit &&
    one.base === base &&
    one.inverted === inverted &&
    one.provider === provider &&
    shortest(one.rate) === shortest(rate)
  );
}

function opinionOf({ unit, base, inverted }: Edge, word: Word): OpinionJson[] {
  const { provider, rates, heardAt, wasAsked, answered } = word;
  const isOfBoth = (given: GivenRate) =>
    (given.unit === unit && given.base === base) || (given.unit === base && given.base === unit);
  const own = rates.find(isOfBoth);
  const times = { confirmedAt: heardAt, freshUntil: heardAt };
  const all = (own ? [own] : rates).map((given) => ({ ...given, ...times, provider }));
  const path = findPath(marketOf(all, heardAt), base, unit) ?? [];
  const rate = path.length > 0 ? writtenRate(fractionOf(path), inverted) : null;
  const heard_at = heardAt.toISOString();
  const oldest = Math.min(...path.map(({ rate: part }) => part.asOf.getTime()));
  const as_of = rate && new Date(oldest).toISOString();
  if (rate !== null) return [{ provider, rate, answered: true, heard_at, as_of }];
  return wasAsked ? [{ provider, rate, answered, heard_at, as_of }] : [];
}

export function presentOpinion(asked: Edge, opinion: OpinionJson): RateOpinion {
  const { provider, rate, answered, heard_at, as_of } = opinion;
  const said = { label: labelOf(provider), answered, heard_at, as_of };
  if (rate === null) return { ...said, rate, away_percent: null, agrees: null };
  const { inverted } = asked;
  const [claimed, value] = [fractionFor(asked), fractionFor({ rate, inverted })];
  const away_percent = changePercent(claimed, value, inverted);
  return { ...said, rate, away_percent, agrees: !differ(claimed, value) };
}
