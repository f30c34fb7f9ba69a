/**
 * Whom a run asks: the first provider, and each further one only while something is lacking that
 * automatic pairs and formulas need; who is asked is asked for all. One request a provider and run,
 * none to one that has nothing new, is not due, asked for a pause or failed again and again.
 * Nothing is written here.
 */
import type { RateApi, RateFailure, RateProviderName } from '@cambist/contract/rate-settings';
import type { Deps } from '#platform/deps.ts';
import type { AttemptJson } from '#platform/json-columns.ts';
import { askAgain, LEAST_MS } from './ask-again.ts';
import { attemptOf } from './attempt.ts';
import { afterFailure, breakerState, hasNewKey } from './breaker.ts';
import { heardAgain, standing, type Claim } from './claims.ts';
import { judge } from './judge.ts';
import { answerTo } from './last-answer.ts';
import type { Heard, Law } from './law.ts';
import type { GivenRate, RateProvider } from './provider.ts';
import { readKey } from './provider-key.ts';
import { blankState, counting, healed, pauseOf } from './provider-state.ts';
import { providers } from './providers.ts';
import { listStates, type ProviderState } from './store.ts';
import { tallyOf } from './tally.ts';
import { retryAtOf, type TurnRule } from './turn.ts';
import { failureWords, unaskedWords } from './words.ts';
import { lastOf, spare } from './sparing.ts';

export type AskDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'keys'>;
export type State = ProviderState & { readonly provider: RateProviderName };

export interface Plan {
  readonly settings: RateApi;
  /** All that the providers are asked for. */
  readonly units: readonly string[];
  readonly law: Law;
  readonly states: ReadonlyMap<string, ProviderState>;
  /** What waits in the quarantine: what its provider would still say if it has nothing new. */
  readonly waiting: readonly Claim[];
  /** A person who asks for a run does not wait for a provider's turn. */
  readonly byHand: boolean;
  /** Aborts where nobody waits for the run any more. */
  readonly signal: AbortSignal;
  /** Of the whole run and of each request. */
  readonly patience: { readonly runMs: number; readonly requestMs: number };
}

export interface Asked {
  readonly heard: readonly Heard[];
  readonly attempts: readonly AttemptJson[];
  /** Of those that were asked, as they are to be kept. */
  readonly states: readonly State[];
  /** The providers that were to be asked and gave no answer, also where what they said before still stands. */
  readonly silent: ReadonlySet<string>;
  /** Units whose question is not answered, since its provider has said nothing of it. */
  readonly standing: ReadonlySet<string>;
}

/** What was heard until `signal` aborts; a provider whose request that broke off is left out. */
export async function askAll(deps: AskDeps, plan: Plan): Promise<Asked> {
  const { settings, law, patience } = plan;
  const heard: Heard[] = [];
  const attempts: AttemptJson[] = [];
  const states: State[] = [];
  const end = law.now.getTime() + patience.runMs;
  for (const { name, feed, ...rule } of distinct(settings.providers)) {
    const isContradicting = plan.waiting.some(
      ({ provider, reason }) => provider === name && reason === 'contradicted',
    );
    if (!isContradicting && isEnough(heard, law)) continue;
    const turn = await takeTurn(deps, plan, providers[name], {
      feed,
      timeoutMs: Math.min(patience.requestMs, end - deps.clock().getTime()),
      rule: { cadence: rule.cadence_hours, plan: rule.monthly_quota },
    });
    if (plan.signal.aborted) break;
    attempts.push(turn.attempt);
    if (turn.state) states.push(turn.state);
    if (turn.rates) {
      const { rates, heardAt = law.now } = turn;
      heard.push({ provider: name, label: providers[name].label, feed, rates, heardAt });
    }
  }
  const isSilent = (name: string) => heard.every(({ provider }) => provider !== name);
  const silent = new Set(attempts.map(({ provider }) => provider).filter(isSilent));
  const asked = new Set(states.map(({ provider }) => provider));
  const claims = standing(plan, heard, { asked, silent });
  const contradicting = claims.filter(({ reason }) => reason === 'contradicted');
  return {
    heard: heardAgain(heard, contradicting, distinct(settings.providers), law.now),
    attempts,
    states,
    silent,
    standing: new Set(claims.map(({ unit }) => unit)),
  };
}

/** What no pair follows costs no request: a small plan would be spent on what nobody gives. */
function isEnough(heard: readonly Heard[], law: Law): boolean {
  const { accepted, lacking } = judge(heard, law);
  return accepted.length > 0 && lacking.length === 0;
}

interface Turn {
  readonly attempt: AttemptJson;
  readonly rates: readonly GivenRate[] | null;
  /** Where that was before this run. */
  readonly heardAt?: Date;
  readonly state: State | null;
}

export interface Chance {
  readonly feed: Heard['feed'];
  readonly timeoutMs: number;
  readonly rule: TurnRule;
}

async function takeTurn(
  deps: AskDeps,
  plan: Plan,
  provider: RateProvider,
  chance: Chance,
): Promise<Turn> {
  const { law, units, states } = plan;
  const { feed, timeoutMs, rule } = chance;
  const { name, label, needsKey } = provider;
  const state = { ...(states.get(name) ?? blankState), provider: name };
  const unasked = (
    outcome: Parameters<typeof unaskedWords>[1],
    { until = null, detail = '' }: { until?: Date | null; detail?: string } = {},
  ) => ({
    attempt: attemptOf(
      name,
      outcome,
      unaskedWords(label, outcome, { until, isSet: detail !== '' }),
      { detail },
    ),
    rates: null,
    state: null,
  });

  // Before the key is read: what is said of one that is set meanwhile is not dated after it.
  const askedAt = deps.clock();
  // Not before its turn: an earlier provider may have been slow, and the key set meanwhile.
  const key = await readKey(deps, name);
  const { setAt: keySetAt } = key;
  const breaker = breakerState(state, law.now, keySetAt);
  // A person who asks for a run is the one try.
  if (breaker === 'open' && !plan.byHand)
    return unasked('breaker_open', { until: state.open_until });
  // Since the run began a test may have been answered, or told of a pause.
  const latest = (await listStates(deps.db)).get(name) ?? state;
  const pause = pauseOf(latest, askedAt, keySetAt);
  if (pause !== null) return unasked('retry_later', { until: pause });
  if ('fault' in key) return unasked('no_key', { detail: key.fault });
  if (needsKey && key.key === null) return unasked('no_key');
  const spared = spare(plan, state, breaker, { keySetAt, rule });
  if (spared !== null) {
    const { outcome, until, heardAt } = spared;
    // After a failure it is as silent as then: its empty answer would take back what it said before.
    if (heardAt === null) return unasked(outcome, { until });
    const rates = lastOf(plan, state, heardAt);
    const words = unaskedWords(label, outcome, { until, stands: rates.length > 0 });
    return {
      attempt: attemptOf(name, outcome, words, { rates: rates.length }),
      rates,
      heardAt,
      state: null,
    };
  }
  if (timeoutMs < LEAST_MS) return unasked('out_of_time');

  const reading = await askAgain(provider, {
    key: key.key,
    units,
    providersUrl: deps.config.rateProvidersUrl,
    timeoutMs,
    signal: plan.signal,
  });
  return turnOf(plan, provider, { state, keySetAt, feed, askedAt }, reading);
}

/** What its answer makes of it. */
function turnOf(
  plan: Plan,
  { name, label }: RateProvider,
  {
    state,
    keySetAt,
    feed,
    askedAt,
  }: Pick<Chance, 'feed'> & {
    readonly state: State;
    readonly askedAt: Date;
    readonly keySetAt: Date | null;
  },
  reading: Awaited<ReturnType<typeof askAgain>>,
): Turn {
  const { law, units } = plan;
  const { durationMs: duration_ms, requests } = reading;
  const retry_at = reading.ok ? null : retryAtOf(reading.retryAfter, askedAt);
  const counted = {
    ...state,
    ...counting(state, law.now, requests),
    requested_at: askedAt,
    retry_at,
  };
  if (!reading.ok) {
    const { failure, detail } = reading;
    return {
      attempt: attemptOf(name, failure, failureWords(label, failure), { detail, duration_ms }),
      rates: null,
      state: {
        ...counted,
        ...failuresOf(plan, state, failure, keySetAt),
        last_failure: failure,
        last_failure_at: askedAt,
        ...answerTo('run', askedAt, { failure }),
      },
    };
  }
  const answer = { provider: name, label, feed, rates: reading.rates, heardAt: law.now };
  const { message, unusable, ...tally } = tallyOf(law, answer, units);
  return {
    attempt: attemptOf(name, 'ok', message, { duration_ms, ...tally }),
    rates: reading.rates,
    state: {
      ...counted,
      asked_at: law.now,
      ...healed,
      last_success_at: law.now,
      last_failure: null,
      ...answerTo('run', askedAt, { unusable }),
      next_update_at: reading.nextUpdateAt,
      units: [...units],
    },
  };
}

/** The schedule's failures alone count: who tries and tries again opens no breaker. */
function failuresOf(
  { law, units, byHand }: Plan,
  state: State,
  failure: RateFailure,
  keySetAt: Date | null,
): Partial<State> {
  const isNew = hasNewKey(state.last_failure_at, keySetAt);
  // A new key begins to count anew.
  if (byHand) return isNew ? healed : {};
  const counted = afterFailure(isNew ? 0 : state.failures, law.now, failure);
  // It was asked for all of them: none is a reason to ask it again before its turn.
  return { ...counted, asked_at: law.now, units: [...units] };
}

/** What every provider is asked for: a provider's base may be no currency of the desk, and without it two have nothing in common. */
export function unitsAskedFor(known: readonly string[], listed: RateApi['providers']): string[] {
  const bases = distinct(listed).flatMap(({ name }) => providers[name].bases);
  return [...new Set([...known, ...bases])].toSorted();
}

/** Each provider once, whatever the settings say: it gets one request a run. */
export function distinct(listed: RateApi['providers']): RateApi['providers'] {
  return listed.filter(
    ({ name }, index) => listed.findIndex((each) => each.name === name) === index,
  );
}
