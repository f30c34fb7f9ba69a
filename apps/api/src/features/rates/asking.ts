/**
 * Whom a run asks: the first provider for everything, each further one only
 * for what the desk still lacks. One request a provider and run, none to one
 * that has nothing new, is not due, asked for a pause or failed again and again.
 * Nothing is written here.
 */
import type { AttemptOutcome } from '@cambist/contract/rates';
import { rateKeyName, type RateApi, type RateProviderName } from '@cambist/contract/rate-settings';
import { MissingAppKey } from '#platform/keys.ts';
import { describeSecrets, readSecret } from '#features/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import type { AttemptJson } from '#platform/rate-tables.ts';
import { ask } from './ask.ts';
import { afterFailure, breakerState, hasNewKey } from './breaker.ts';
import { judge, type Heard, type Law } from './judge.ts';
import type { GivenRate, RateProvider } from './provider.ts';
import { providers } from './providers.ts';
import type { ProviderState } from './store.ts';
import { nextTurn, retryAtOf, type TurnRule } from './turn.ts';
import { failureWords, okWords, unaskedWords } from './words.ts';

export type AskDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'keys'>;
export type State = ProviderState & { readonly provider: RateProviderName };

export interface Plan {
  readonly settings: RateApi;
  /** All that the providers are asked for. */
  readonly units: readonly string[];
  readonly law: Law;
  readonly states: ReadonlyMap<string, ProviderState>;
  /** What waits in the quarantine: what its provider would still say if it has nothing new. */
  readonly waiting: readonly (GivenRate & { readonly provider: string })[];
  /** A person who asks for a run does not wait for a provider's turn. */
  readonly byHand: boolean;
  /** Of the whole run and of each request. */
  readonly patience: { readonly runMs: number; readonly requestMs: number };
}

export interface Asked {
  readonly heard: readonly Heard[];
  readonly attempts: readonly AttemptJson[];
  /** Of those that were asked, as they are to be kept. */
  readonly states: readonly State[];
}

export async function askAll(deps: AskDeps, plan: Plan): Promise<Asked> {
  const { settings, law, patience } = plan;
  const heard: Heard[] = [];
  const attempts: AttemptJson[] = [];
  const states: State[] = [];
  const keys = await keyTimes(deps);
  const end = law.now.getTime() + patience.runMs;
  for (const { name, feed, ...rule } of distinct(settings.providers)) {
    const judgement = judge(heard, law);
    if (judgement.accepted.length > 0 && judgement.lacking.length === 0) break;
    const turn = await takeTurn(deps, plan, providers[name], {
      keySetAt: keys.get(rateKeyName(name)) ?? null,
      timeoutMs: Math.min(patience.requestMs, end - deps.clock().getTime()),
      rule: { cadence: rule.cadence_hours, plan: rule.monthly_quota },
    });
    attempts.push(turn.attempt);
    if (turn.state) states.push(turn.state);
    if (turn.rates) {
      const { rates, heardAt = law.now } = turn;
      heard.push({ provider: name, label: providers[name].label, feed, rates, heardAt });
    }
  }
  return { heard, attempts, states };
}

interface Turn {
  readonly attempt: AttemptJson;
  readonly rates: readonly GivenRate[] | null;
  /** Where that was before this run. */
  readonly heardAt?: Date;
  readonly state: State | null;
}

interface Chance {
  readonly keySetAt: Date | null;
  readonly timeoutMs: number;
  readonly rule: TurnRule;
}

/** Less is no time to answer in. */
const LEAST_MS = 500;

async function takeTurn(
  deps: AskDeps,
  plan: Plan,
  provider: RateProvider,
  chance: Chance,
): Promise<Turn> {
  const { law, units, states } = plan;
  const { keySetAt, timeoutMs } = chance;
  const { name, label, needsKey } = provider;
  const state = { ...(states.get(name) ?? blankState), provider: name };
  const unasked = (
    outcome: Parameters<typeof unaskedWords>[1],
    { until = null, detail = '' }: { until?: Date | null; detail?: string } = {},
  ) => ({
    attempt: attemptOf(name, outcome, unaskedWords(label, outcome, until), { detail }),
    rates: null,
    state: null,
  });

  const breaker = breakerState(state, law.now, keySetAt);
  if (breaker === 'open') return unasked('breaker_open', { until: state.open_until });
  const pause = pauseOf(state, law.now, keySetAt);
  if (pause !== null) return unasked('retry_later', { until: pause });
  const key = await readKey(deps, name);
  if ('fault' in key) return unasked('no_key', { detail: key.fault });
  if (needsKey && key.key === null) return unasked('no_key');
  const spared = spare(plan, state, breaker, chance);
  if (spared !== null) {
    const { outcome, until, heardAt } = spared;
    const rates = heardAt === null ? [] : lastOf(plan, name, heardAt < law.now ? heardAt : null);
    const words = unaskedWords(label, outcome, until);
    return {
      attempt: attemptOf(name, outcome, words, { rates: rates.length }),
      rates,
      ...(heardAt && { heardAt }),
      state: null,
    };
  }
  if (timeoutMs < LEAST_MS) return unasked('out_of_time');

  const reading = await ask(provider, {
    key: key.key,
    units,
    providersUrl: deps.config.rateProvidersUrl,
    timeoutMs,
  });
  return turnOf(plan, provider, { state, keySetAt }, reading);
}

/** What became of the request, and what is to be remembered of it. */
function turnOf(
  { law, units }: Plan,
  { name, label }: RateProvider,
  { state, keySetAt }: { readonly state: State; readonly keySetAt: Date | null },
  reading: Awaited<ReturnType<typeof ask>>,
): Turn {
  const { durationMs } = reading;
  const retry_at = reading.ok ? null : retryAtOf(reading.retryAfter, law.now);
  const counted = { ...state, ...counting(state, law.now), asked_at: law.now, retry_at };
  if (!reading.ok) {
    const { failure, detail } = reading;
    return {
      attempt: attemptOf(name, failure, failureWords(label, failure), { detail, durationMs }),
      rates: null,
      state: {
        ...counted,
        // A new key begins to count anew.
        ...afterFailure(hasNewKey(state, keySetAt) ? 0 : state.failures, law.now),
        last_failure: failure,
        last_failure_at: law.now,
      },
    };
  }
  const rates = reading.rates.length;
  return {
    attempt: attemptOf(name, 'ok', okWords(label, rates), { durationMs, rates }),
    rates: reading.rates,
    state: {
      ...counted,
      failures: 0,
      open_until: null,
      last_success_at: law.now,
      next_update_at: reading.nextUpdateAt,
      units: [...units],
    },
  };
}

/** Until when it asked to be left alone; null where it did not, or a new key was set since. */
export function pauseOf(state: ProviderState, now: Date, keySetAt: Date | null): Date | null {
  const { retry_at } = state;
  if (retry_at === null || now >= retry_at || hasNewKey(state, keySetAt)) return null;
  return retry_at;
}

interface Spared {
  readonly outcome: 'not_due' | 'cadence';
  readonly until: Date | null;
  /** When its last rates were heard, which count as its answer; null where its last answer was none. */
  readonly heardAt: Date | null;
}

/** Why it need not be asked now: it has nothing new, or it is not its turn. Null: ask it. */
function spare(
  { law, units, byHand }: Plan,
  state: State,
  breaker: 'closed' | 'half_open',
  { keySetAt, rule }: Chance,
): Spared | null {
  if (!units.every((unit) => state.units.includes(unit))) return null;
  const { next_update_at, last_success_at, failures } = state;
  if (breaker === 'closed' && next_update_at !== null && law.now < next_update_at)
    return { outcome: 'not_due', until: next_update_at, heardAt: law.now };
  if (byHand || hasNewKey(state, keySetAt)) return null;
  const until = nextTurn({ ...state, used: usedIn(state, law.now) }, rule, law.now);
  if (until === null) return null;
  return { outcome: 'cadence', until, heardAt: failures > 0 ? null : last_success_at };
}

export const blankState = {
  failures: 0,
  open_until: null,
  last_success_at: null,
  last_failure_at: null,
  last_failure: null,
  next_update_at: null,
  asked_at: null,
  retry_at: null,
  units: [],
  month: '',
  requests: 0,
};

/** `2026-11`, in UTC: plans are counted by months, and no provider says in whose. */
function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Requests of this month. */
export function usedIn({ month, requests }: ProviderState, now: Date): number {
  return month === monthOf(now) ? requests : 0;
}

function counting(state: ProviderState, now: Date) {
  return { month: monthOf(now), requests: usedIn(state, now) + 1 };
}

/** What the provider said last and would say again; with `heardAt` only what it said then. */
function lastOf({ law, waiting }: Plan, name: RateProviderName, heardAt: Date | null): GivenRate[] {
  const believed = law.market.rates.filter(
    ({ confirmedAt }) => heardAt === null || confirmedAt >= heardAt,
  );
  return [...waiting, ...believed].filter(({ provider }) => provider === name);
}

/**
 * The stored key; null where there is none. A fault where it cannot be read: it was sealed with
 * another APP_KEY, and rates from a provider without a key must come all the same.
 */
export async function readKey(
  deps: Pick<Deps, 'db' | 'keys'>,
  provider: RateProviderName,
): Promise<{ readonly key: string | null } | { readonly fault: string }> {
  try {
    return { key: await readSecret(deps, 'rate-api', rateKeyName(provider)) };
  } catch (error) {
    if (error instanceof MissingAppKey)
      return { fault: 'APP_KEY is not set, so the stored key does not open.' };
    if (error instanceof Error && error.message.includes('does not open'))
      return {
        fault: 'The stored key does not open: APP_KEY is another one than when it was set.',
      };
    throw error;
  }
}

/** When each key was set, by the secret's name. */
export async function keyTimes({ db }: Pick<Deps, 'db'>): Promise<Map<string, Date>> {
  const secrets = await describeSecrets(db, 'rate-api');
  return new Map(secrets.map(({ name, updated_at }) => [name, new Date(updated_at)]));
}

/** Each provider once, whatever the settings say: it gets one request a run. */
export function distinct(listed: RateApi['providers']): RateApi['providers'] {
  return listed.filter(
    ({ name }, index) => listed.findIndex((each) => each.name === name) === index,
  );
}

function attemptOf(
  provider: RateProviderName,
  outcome: AttemptOutcome,
  message: string,
  { detail = '', durationMs = 0, rates = 0 } = {},
): AttemptJson {
  return { provider, outcome, message, detail, duration_ms: durationMs, rates };
}
