/**
 * Pure: accepts, questions or rejects the providers' quotes, each unit by itself. A unit without an
 * accepted quote keeps its last rate. The first provider with a good rate of a unit wins, the next
 * ones fill in missing units.
 */
import type { QuarantineReason } from '@cambist/contract/rate-quarantine';
import type { RateApi, RateFeed, RateProviderName } from '@cambist/contract/rate-settings';
import type { RateRejection, RejectionReason } from '@cambist/contract/rates';
import { times, type Fraction } from '@cambist/money/fraction';
import { HOUR } from '#kernel/clock.ts';
import {
  exactCross,
  marketOf,
  type AcceptedRate,
  type Market,
} from '#features/rates/market/cross.ts';
import { changePercent, disagree, fractionFor, movesBy, writtenRate } from './comparison.ts';
import type { Quote } from './providers/provider.ts';
import { findFault, type QuoteLimits } from './quote-faults.ts';

export interface ProviderAnswer {
  readonly provider: RateProviderName;
  readonly label: string;
  readonly feed: RateFeed;
  /** Of this run; empty where it was skipped or failed. */
  readonly quotes: readonly Quote[];
  /** Its earlier accepted rates that are still valid, where it was skipped. */
  readonly earlierRates: readonly AcceptedRate[];
}

export interface Known extends QuoteLimits {
  /** The last accepted rates. */
  readonly market: Market;
  /** The rates of a day ago; the first market that connects two units is used. */
  readonly dayAgo: readonly Market[];
  /** The last mid rates of pairs, to compare the first rate of a unit with. */
  readonly lastPrices: Market;
  readonly limits: Pick<RateApi, 'jump_percent' | 'day_percent' | 'max_age_hours'>;
  /** Units that automatic pairs and formulas need. */
  readonly needed: readonly string[];
  readonly openQuestions: readonly (Edge & { readonly provider: string })[];
  /** Quotes that an admin rejected within the last day. */
  readonly rejectedQuotes: readonly (Quote & { readonly provider: string })[];
}

type Edge = Pick<Quote, 'unit' | 'base'>;

/** A rate for an admin to accept or reject. */
export interface Question extends Quote {
  readonly provider: RateProviderName;
  readonly reason: QuarantineReason;
  /** In the direction of the rate; null where it is not representable. */
  readonly previous: string | null;
  readonly changePercent: string;
}

export interface Acceptance {
  readonly accepted: readonly AcceptedRate[];
  readonly questions: readonly Question[];
  readonly rejections: readonly RateRejection[];
  /** Needed units that the accepted rates of this run do not connect. */
  readonly missing: readonly string[];
  /** Those of `missing` without an open question: the next provider is asked for them. */
  readonly unanswered: readonly string[];
}

interface Run {
  readonly known: Known;
  readonly accepted: Map<string, AcceptedRate>;
  readonly questions: Map<string, Question>;
  /** Open questions without a new quote of their provider. */
  readonly waiting: Map<string, Edge>;
  readonly rejections: RateRejection[];
}

/** `answers` in the order of the settings. */
export function acceptRates(answers: readonly ProviderAnswer[], known: Known): Acceptance {
  const run: Run = {
    known,
    accepted: new Map(),
    questions: new Map(),
    waiting: new Map(),
    rejections: [],
  };
  for (const answer of answers) addAnswer(run, answer);
  const accepted = [...run.accepted.values()];
  return {
    accepted,
    questions: [...run.questions.values()],
    rejections: run.rejections,
    missing: missingUnits(marketOf(accepted, known.now), known.needed),
    unanswered: missingUnits(settledMarket(run), known.needed),
  };
}

/** The units outside the largest connected group; all of them, where no two are connected. */
export function missingUnits(market: Market, units: readonly string[]): string[] {
  const groups: string[][] = [];
  for (const unit of units) {
    const group = groups.find(([first = '']) => exactCross(market, first, unit) !== null);
    if (group) group.push(unit);
    else groups.push([unit]);
  }
  const [largest = []] = groups.toSorted((a, b) => b.length - a.length);
  // A single unit needs no rate; two unconnected ones are both missing.
  const found = largest.length > 1 || units.length === 1 ? largest : [];
  return units.filter((unit) => !found.includes(unit)).toSorted();
}

/** Quotes that are valid by themselves, and the rejections of the others. */
export function withoutFaults(
  answer: Pick<ProviderAnswer, 'provider' | 'label' | 'feed' | 'quotes'>,
  limits: QuoteLimits,
): { readonly quotes: readonly Quote[]; readonly rejections: readonly RateRejection[] } {
  const wrongBases = new Set(
    answer.quotes.filter(({ unit, base }) => unit === base).map(({ base }) => base),
  );
  const checked = answer.quotes
    .filter(({ unit, base }) => unit !== base)
    .map((quote) => ({ quote, fault: findFault(answer, quote, wrongBases, limits) }));
  return {
    quotes: checked.flatMap(({ quote, fault }) => (fault === null ? [quote] : [])),
    rejections: checked.flatMap(({ fault }) => (fault === null ? [] : [fault])),
  };
}

function addAnswer(run: Run, answer: ProviderAnswer): void {
  for (const rate of answer.earlierRates) {
    if (!isSettled(run, rate)) run.accepted.set(rate.unit, rate);
  }
  const { quotes, rejections } = withoutFaults(answer, run.known);
  run.rejections.push(...rejections);
  for (const ofUnit of Map.groupBy(quotes, ({ unit }) => unit).values()) {
    const [first] = ofUnit.toSorted((a, b) => rank(run, a) - rank(run, b));
    if (first === undefined || ofUnit.some((quote) => isSettled(run, quote))) continue;
    const isConsistent = ofUnit.every((quote) => agreesWithOthers(run, quotes, quote));
    if (isConsistent) decide(run, answer, first);
    else reject(run, answer, first, 'inconsistent', inconsistentMessage(answer, first));
  }
  for (const question of run.known.openQuestions) {
    if (question.provider === answer.provider && !isSettled(run, question))
      run.waiting.set(question.unit, question);
  }
}

/** Quotes in a needed base first, since they connect the unit. */
function rank({ known }: Run, { base }: Quote): number {
  return known.needed.includes(base) ? 0 : 1;
}

function isSettled(run: Run, { unit, base }: Edge): boolean {
  const own = run.accepted.has(unit) || run.questions.has(unit) || run.waiting.has(unit);
  // Already connected, as by a provider with another base; a second path would be redundant.
  return own || exactCross(settledMarket(run), base, unit) !== null;
}

/** All accepted and undecided units as edges; the rates of the undecided ones are placeholders. */
function settledMarket({ accepted, questions, waiting, known: { now } }: Run): Market {
  const undecided = [...questions.values(), ...waiting.values()].map(({ unit, base }) => {
    const times = { asOf: now, confirmedAt: now, freshUntil: now };
    return { unit, base, rate: '1', inverted: false, provider: '', ...times };
  });
  return marketOf([...accepted.values(), ...undecided], now);
}

function decide(run: Run, answer: ProviderAnswer, quote: Quote): void {
  const { known } = run;
  const { inverted } = quote;
  const now = fractionFor(quote);
  const last = lastRate(run, quote);
  const { jump_percent, day_percent, max_age_hours } = known.limits;
  const dayAgo = crossIn(known.dayAgo, quote);
  const before =
    last !== null && movesBy(jump_percent, last, now, inverted)
      ? { reason: 'jump' as const, rate: last }
      : dayAgo !== null && movesBy(day_percent, dayAgo, now, inverted)
        ? { reason: 'drift' as const, rate: dayAgo }
        : null;
  const { unit, base, rate, asOf } = quote;
  const { provider } = answer;
  const given = { unit, base, rate, inverted, provider, asOf };
  if (before === null) {
    const freshUntil = new Date(asOf.getTime() + max_age_hours[answer.feed] * HOUR);
    run.accepted.set(unit, { ...given, confirmedAt: known.now, freshUntil });
  } else if (wasRejected(known, given)) {
    const message = `An admin rejected ${rate} for ${unit} in ${base} from ${answer.label}, or a similar rate, within the last day.`;
    reject(run, answer, quote, 'rejected_before', message);
  } else {
    run.questions.set(unit, {
      ...given,
      reason: before.reason,
      previous: writtenRate(before.rate, inverted),
      changePercent: changePercent(before.rate, now, inverted),
    });
  }
}

/** The last accepted rate, by way of this run's rates where the former ones do not connect the units. */
function lastRate({ known, accepted }: Run, quote: Edge): Fraction | null {
  const { market, lastPrices, now } = known;
  const joined = marketOf([...accepted.values(), ...market.rates], now);
  return crossIn([market, joined, lastPrices], quote);
}

function crossIn(markets: readonly Market[], { unit, base }: Edge): Fraction | null {
  for (const market of markets) {
    const found = exactCross(market, base, unit);
    if (found !== null) return found;
  }
  return null;
}

function wasRejected({ rejectedQuotes, limits }: Known, quote: Quote & { provider: string }) {
  return rejectedQuotes.some(
    (rejected) =>
      rejected.provider === quote.provider &&
      rejected.unit === quote.unit &&
      rejected.base === quote.base &&
      !movesBy(limits.jump_percent, fractionFor(rejected), fractionFor(quote), quote.inverted),
  );
}

/**
 * Whether a quote is consistent with the provider's other quotes: its inverse, and triangles such as
 * one coin in dollars and in euros. The third side is an accepted rate, unless it is questioned.
 */
function agreesWithOthers(run: Run, quotes: readonly Quote[], quote: Quote): boolean {
  const { known } = run;
  const others = quotesMarket(
    quotes.filter(({ unit }) => unit !== quote.unit),
    known.now,
  );
  const own = exactCross(others, quote.base, quote.unit);
  if (own !== null && disagree(own, fractionFor(quote))) return false;
  const sameUnit = quotes.filter(({ unit, base }) => unit === quote.unit && base !== quote.base);
  return sameUnit.every((other) => {
    if ([quote.base, other.base].some((unit) => run.questions.has(unit) || run.waiting.has(unit)))
      return true;
    const joined = marketOf([...run.accepted.values(), ...known.market.rates], known.now);
    const bases = crossIn([joined, others], { unit: other.base, base: quote.base });
    return bases === null || !disagree(fractionFor(quote), times(fractionFor(other), bases));
  });
}

function quotesMarket(quotes: readonly Quote[], now: Date): Market {
  const times = { confirmedAt: now, freshUntil: now, provider: '' };
  return marketOf(
    quotes.map((quote) => ({ ...quote, ...times })),
    now,
  );
}

function inconsistentMessage({ label }: ProviderAnswer, { unit, rate }: Quote): string {
  return `${label} gave ${rate} for ${unit}, which contradicts its other rates.`;
}

function reject(
  run: Run,
  { provider }: ProviderAnswer,
  { unit }: Quote,
  reason: RejectionReason,
  message: string,
): void {
  run.rejections.push({ unit, provider, reason, message });
}
