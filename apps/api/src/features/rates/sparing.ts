/** Pure: whether a provider need not be asked in a run, and what it would say again. */
import type { RateApi } from '@cambist/contract/rate-settings';
import type { Market } from '#features/market/market.ts';
import type { Chance, Plan, State } from './asking.ts';
import type { BreakerState } from './breaker.ts';
import type { Claim } from './claims.ts';
import type { Law } from './law.ts';
import type { GivenRate } from './provider.ts';
import { failedLast, isKeyUnused, usedIn } from './provider-state.ts';
import { nextTurn } from './turn.ts';
import type { ProviderState } from './store.ts';

interface Spared {
  readonly outcome: 'not_due' | 'cadence';
  readonly until: Date | null;
  /** When its last rates were heard, which count as its answer; null where its last answer was none. */
  readonly heardAt: Date | null;
}

/** Why it need not be asked now: it has nothing new, or it is not its turn. Null: ask it. */
export function spare(
  plan: Plan,
  state: State,
  breaker: BreakerState,
  { keySetAt, rule }: Terms,
): Spared | null {
  const { law, units, settings, waiting, byHand } = plan;
  const desk = { units, market: law.market, listed: settings.providers, waiting };
  if (isDueAnew(desk, state, keySetAt)) return null;
  const newsAt = nothingNewUntil(desk, state, keySetAt, law.now);
  if (breaker === 'closed' && newsAt !== null)
    return { outcome: 'not_due', until: newsAt, heardAt: law.now };
  if (byHand) return null;
  const until = turnAt(desk, state, { keySetAt, rule }, law.now);
  if (until === null) return null;
  return { outcome: 'cadence', until, heardAt: failedLast(state) ? null : state.last_success_at };
}

interface Terms extends Pick<Chance, 'rule'> {
  readonly keySetAt: Date | null;
}

/** What the desk has, and wants of every provider. */
interface Desk {
  readonly units: readonly string[];
  readonly market: Market;
  readonly listed: RateApi['providers'];
  readonly waiting: readonly Claim[];
}

/** Until when it has nothing new by its own words, and is not asked for that; null where a run goes by its turns alone. */
export function nothingNewUntil(
  desk: Desk,
  state: ProviderState,
  keySetAt: Date | null,
  now: Date,
): Date | null {
  const { next_update_at: until } = state;
  if (until === null || now >= until) return null;
  if (isDueAnew(desk, state, keySetAt) || failedLast(state)) return null;
  return lastOf({ law: desk, waiting: desk.waiting }, state, now).length > 0 ? until : null;
}

/** When the schedule asks it by its turns; null where no turn is waited for. */
export function turnAt(
  desk: Desk,
  state: ProviderState,
  { keySetAt, rule }: Terms,
  now: Date,
): Date | null {
  if (isDueAnew(desk, state, keySetAt)) return null;
  return nextTurn({ ...state, hasFailed: failedLast(state), used: usedIn(state, now) }, rule, now);
}

/** Whether something is new since it was asked: a unit, its key, which shows when it is used, or that it stands alone. */
function isDueAnew(desk: Desk, state: ProviderState, keySetAt: Date | null): boolean {
  return (
    !desk.units.every((unit) => state.units.includes(unit)) ||
    isOvertaken(desk, state) ||
    isKeyUnused(state, keySetAt)
  );
}

/**
 * Whether a provider that is asked no more said something after it, so that nobody says that again: in a later run,
 * or in that of its last turn, which dates both alike, where it had no answer then.
 */
function isOvertaken(
  { market, listed }: Desk,
  { asked_at: since, last_success_at }: ProviderState,
): boolean {
  if (since === null) return false;
  const names = new Set<string>(listed.map(({ name }) => name));
  const isAnswered = last_success_at !== null && last_success_at >= since;
  return market.rates.some(
    ({ provider, confirmedAt }) =>
      !names.has(provider) && (isAnswered ? confirmedAt > since : confirmedAt >= since),
  );
}

/**
 * What the provider said last and would say again: what was believed of it then, or confirmed since,
 * and what waits. What it withdrew, and what was refused, it did not say.
 */
export function lastOf(
  { law, waiting }: { readonly law: Pick<Law, 'market'>; readonly waiting: readonly Claim[] },
  { provider: name, last_success_at: since }: ProviderState,
  heardAt: Date,
): GivenRate[] {
  const isOfLast = (provider: string, at: Date) =>
    provider === name && since !== null && at >= since;
  return [
    ...waiting
      .filter(({ provider, seenAt }) => isOfLast(provider, seenAt))
      .map((claim) => ({ ...claim, heardAt })),
    ...law.market.rates.filter(({ provider, confirmedAt }) => isOfLast(provider, confirmedAt)),
  ];
}
