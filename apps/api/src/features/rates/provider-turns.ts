/**
 * Fetches from the providers in the order of the settings, from each further one only while a needed
 * unit is missing. One request with one retry for all units; a provider that is not due, in a pause or
 * with an open breaker is skipped.
 */
import type { AttemptOutcome } from '@cambist/contract/rates';
import type { RateApi, RateFailure } from '@cambist/contract/rate-settings';
import { MINUTE } from '#kernel/clock.ts';
import type { AcceptedRate } from '#features/rates/market/cross.ts';
import type { Deps } from '#platform/deps.ts';
import type { AttemptJson } from '#platform/db/json-columns.ts';
import { acceptRates, withoutFaults, type Known, type ProviderAnswer } from './acceptance.ts';
import { fetchWithRetry, LEAST_MS } from './providers/fetch.ts';
import { readKey } from './providers/key.ts';
import { supportsAny, providers } from './providers/list.ts';
import type { RateProvider, Reading } from './providers/provider.ts';
import {
  afterFailure,
  BLANK_STATE,
  breakerState,
  hasFailed,
  isSince,
  monthOf,
  nextTurn,
  pauseUntil,
  retryAtOf,
} from './schedule.ts';
import { countRequests, listStates, type ProviderState, type StateChange } from './store.ts';
import { answerMessage, failureMessage, idleMessage, skipMessage } from './words.ts';

export type FetchDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'keys'>;
type Listed = RateApi['providers'][number];

export interface Plan {
  readonly settings: RateApi;
  readonly units: readonly string[];
  readonly known: Known;
  /** An admin's run does not wait for a provider's turn. */
  readonly isManual: boolean;
  readonly signal: AbortSignal;
  /** For the whole run and for each provider. */
  readonly timeouts: { readonly runMs: number; readonly providerMs: number };
}

/** The result of one provider. */
export interface Turn {
  readonly answer: ProviderAnswer;
  readonly attempt: AttemptJson;
  /** Null where it was skipped. */
  readonly change: StateChange | null;
}

export async function fetchFromProviders(deps: FetchDeps, plan: Plan): Promise<Turn[]> {
  const turns: Turn[] = [];
  const endMs = plan.known.now.getTime() + plan.timeouts.runMs;
  for (const listed of distinctProviders(plan.settings)) {
    if (isComplete(turns, plan.known)) break;
    const leftMs = endMs - deps.clock().getTime();
    const turn = await takeTurn(deps, plan, listed, Math.min(plan.timeouts.providerMs, leftMs));
    if (plan.signal.aborted) break;
    turns.push(turn);
  }
  return turns;
}

/** Each provider once. */
export function distinctProviders({ providers: listed }: RateApi): RateApi['providers'] {
  return listed.filter(
    ({ name }, index) => listed.findIndex((each) => each.name === name) === index,
  );
}

/** The desk's units and the providers' bases, which connect providers with each other. */
export function requestedUnits(known: readonly string[], settings: RateApi): string[] {
  const bases = settings.providers.flatMap(({ name }) => providers[name].bases);
  return [...new Set([...known, ...bases])].toSorted();
}

function isComplete(turns: readonly Turn[], known: Known): boolean {
  const { accepted, questions, unanswered } = acceptRates(
    turns.map(({ answer }) => answer),
    known,
  );
  return accepted.length + questions.length > 0 && unanswered.length === 0;
}

async function takeTurn(
  deps: FetchDeps,
  plan: Plan,
  listed: Listed,
  timeoutMs: number,
): Promise<Turn> {
  const { known, units, isManual, signal } = plan;
  const { name, cadence_hours: cadence } = listed;
  const provider = providers[name];
  // Read now, since a key test may have changed it.
  const state = (await listStates(deps.db)).get(name) ?? { ...BLANK_STATE, provider: name };
  const key = await readKey(deps, name);
  const keySetAt = key.setAt;
  const skip = (outcome: SkipOutcome, until: Date | null = null, more: Partial<Skip> = {}) =>
    skipped(provider, listed, outcome, until, more);

  if (breakerState(state, known.now, keySetAt) === 'open' && !isManual)
    return skip('breaker_open', state.open_until);
  const pause = pauseUntil(state, known.now, keySetAt);
  if (pause !== null) return skip('retry_later', pause);
  if ('fault' in key) return skip('no_key', null, { detail: key.fault });
  if (provider.needsKey && key.key === null) return skip('no_key');

  const turn = { now: known.now, keySetAt, units, cadence };
  const turnAt = isManual ? null : nextTurn(state, turn);
  if (turnAt !== null) {
    const staleMs = plan.settings.stale_minutes * MINUTE;
    const earlierRates = earlierRatesOf(plan, state).filter(
      ({ confirmedAt }) => known.now.getTime() - confirmedAt.getTime() <= staleMs,
    );
    return skip('cadence', turnAt, { earlierRates });
  }
  if (timeoutMs < LEAST_MS) return skip('out_of_time');

  const fetchedAt = deps.clock();
  const providersUrl = deps.config.rateProvidersUrl;
  const options = { key: key.key, units, providersUrl, timeoutMs, signal };
  const reading = await fetchWithRetry(provider, options);
  await countRequests(deps.db, name, monthOf(known.now), reading.requests);
  return answered(plan, listed, { state, fetchedAt, keySetAt }, reading);
}

type SkipOutcome = Exclude<AttemptOutcome, 'ok' | RateFailure>;

interface Skip {
  readonly detail: string;
  readonly earlierRates: readonly AcceptedRate[];
}

function skipped(
  { name, label }: RateProvider,
  { feed }: Listed,
  outcome: SkipOutcome,
  until: Date | null,
  { detail = '', earlierRates = [] }: Partial<Skip>,
): Turn {
  const message = skipMessage(label, outcome, until);
  const rates = earlierRates.length;
  return {
    answer: { provider: name, label, feed, quotes: [], earlierRates },
    attempt: { ...NO_ANSWER, provider: name, outcome, message, detail, rates },
    change: null,
  };
}

const NO_ANSWER = { detail: '', duration_ms: 0, rates: 0, gave_none: false };

/** The fresh accepted rates of its last successful fetch. */
function earlierRatesOf({ known }: Plan, state: ProviderState): AcceptedRate[] {
  const { last_success_at: since, provider } = state;
  if (since === null || hasFailed(state)) return [];
  return known.market.rates.filter(
    (rate) =>
      rate.provider === provider && rate.confirmedAt >= since && rate.freshUntil > known.now,
  );
}

function answered(
  { known, units, isManual }: Plan,
  { name, feed }: Listed,
  { state, fetchedAt, keySetAt }: { state: ProviderState; fetchedAt: Date; keySetAt: Date | null },
  reading: Reading & { readonly durationMs: number },
): Turn {
  const { label } = providers[name];
  const answer = { provider: name, label, feed, quotes: [], earlierRates: [] };
  const attempt = { ...NO_ANSWER, provider: name, duration_ms: reading.durationMs };
  const fetched = { last_fetch_at: fetchedAt, last_fetch_by: 'run' as const, units: [...units] };
  if (!reading.ok) {
    const { failure: outcome, detail } = reading;
    const message = failureMessage(label, outcome);
    return {
      answer,
      attempt: { ...attempt, outcome, message, detail },
      change: {
        ...fetched,
        ...failures(state, { isManual, keySetAt, now: known.now }, outcome),
        ...(outcome === 'invalid_key' && { key_refused_at: fetchedAt }),
        fetched_at: known.now,
        last_outcome: outcome,
        last_message: message,
        retry_at: retryAtOf(reading.retryAfter, fetchedAt),
      },
    };
  }
  const result = { ...answer, quotes: reading.rates };
  const { outcome, ...tally } = tallyOf(result, known, units);
  return {
    answer: result,
    attempt: { ...attempt, outcome: 'ok', ...tally },
    change: {
      ...fetched,
      failures: 0,
      open_until: null,
      key_refused_at: null,
      fetched_at: known.now,
      last_success_at: known.now,
      last_outcome: outcome,
      last_message: tally.message,
      retry_at: null,
    },
  };
}

/** Only failures of scheduled runs open the breaker. */
function failures(
  state: ProviderState,
  { isManual, keySetAt, now }: { isManual: boolean; keySetAt: Date | null; now: Date },
  failure: RateFailure,
): StateChange {
  const before = isSince(keySetAt, state.last_fetch_at) ? 0 : state.failures;
  if (!isManual) return afterFailure(before, now, failure);
  return before === 0 ? { failures: 0, open_until: null } : {};
}

export function tallyOf(
  answer: ProviderAnswer,
  known: Parameters<typeof withoutFaults>[1],
  asked: readonly string[],
): Pick<AttemptJson, 'rates' | 'gave_none' | 'message'> & { outcome: 'ok' | 'unusable' } {
  const { provider, label } = answer;
  if (!supportsAny(provider, asked))
    return { rates: 0, gave_none: false, message: idleMessage(label), outcome: 'ok' };
  const { quotes, rejections } = withoutFaults(answer, known);
  const rates = quotes.length;
  const message = answerMessage(label, rates, rejections.length);
  if (rates > 0) return { rates, gave_none: false, message, outcome: 'ok' };
  const why = rejections[0] === undefined ? '' : ` ${rejections[0].message}`;
  return { rates, gave_none: true, message: message + why, outcome: 'unusable' };
}
