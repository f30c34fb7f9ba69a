/** Pure: whether a provider need not be asked in a run, and what it would say again. */
import type { Chance, Plan, State } from './asking.ts';
import type { BreakerState } from './breaker.ts';
import type { GivenRate } from './provider.ts';
import { failedLast, isKeyUnused, usedIn } from './provider-state.ts';
import { nextTurn } from './turn.ts';

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
  { keySetAt, rule }: { readonly keySetAt: Date | null } & Pick<Chance, 'rule'>,
): Spared | null {
  const { law, units, byHand } = plan;
  if (!units.every((unit) => state.units.includes(unit)) || isOvertaken(plan, state)) return null;
  const { next_update_at, last_success_at } = state;
  // Whether a new key is right shows when it is used.
  if (isKeyUnused(state, keySetAt)) return null;
  const hasFailed = failedLast(state);
  const hasNothingNew = !hasFailed && next_update_at !== null && law.now < next_update_at;
  if (breaker === 'closed' && hasNothingNew && lastOf(plan, state, law.now).length > 0)
    return { outcome: 'not_due', until: next_update_at, heardAt: law.now };
  if (byHand) return null;
  const until = nextTurn({ ...state, hasFailed, used: usedIn(state, law.now) }, rule, law.now);
  if (until === null) return null;
  return { outcome: 'cadence', until, heardAt: hasFailed ? null : last_success_at };
}

/** Whether what it said was replaced since by a provider that is asked no more, so that nobody says it again. */
function isOvertaken({ law, settings }: Plan, { last_success_at: since }: State): boolean {
  const listed = new Set<string>(settings.providers.map(({ name }) => name));
  return law.market.rates.some(
    ({ provider, confirmedAt }) => !listed.has(provider) && since !== null && confirmedAt > since,
  );
}

/**
 * What the provider said last and would say again: what was believed of it then, or confirmed since,
 * and what waits. What it withdrew, and what was refused, it did not say.
 */
export function lastOf(
  { law, waiting }: Plan,
  { provider: name, last_success_at: since }: State,
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
