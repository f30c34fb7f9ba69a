import { getMailStatus } from '@cambist/contract/email';
import { listPairs, listRoundTrips, type Pair } from '@cambist/contract/pairs';
import { getRatesOverview } from '@cambist/contract/rates';
import { reconcile } from '@cambist/contract/reserves';
import { listTasks } from '@cambist/contract/tasks';
import { may } from '#lib/console/permissions.ts';
import { ApiError } from '#lib/api/client.ts';
import type { PageServerLoad } from './$types.js';
import { ratesStanding } from './in-order.ts';
import { failedTasks } from './tasks/run-state.ts';

/** What this admin may not see is undefined; what did not answer is null. */
export const load: PageServerLoad = async ({ locals }) => {
  const { call, user, wide } = locals;
  const money = may(user, 'money');
  const settings = may(user, 'settings');
  const [pairs, trips, rates, reconciliation, mail, tasks] = await Promise.all([
    money ? known(call(listPairs)) : undefined,
    money ? known(call(listRoundTrips)) : undefined,
    money ? known(call(getRatesOverview)) : undefined,
    money ? known(call(reconcile)) : undefined,
    settings ? known(call(getMailStatus)) : undefined,
    settings ? known(call(listTasks)) : undefined,
  ]);
  return {
    hidden: wide.robots?.noindex ?? false,
    pairs: pairs && priced(pairs),
    round_trips: trips?.length ?? 0,
    rates: rates && ratesStanding(rates),
    reconciliation,
    mail,
    failed_tasks: tasks && failedTasks(tasks, Date.now()).length,
  };
};

/** One question without an answer must not keep the others from being seen. */
async function known<T>(question: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await question).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function priced(pairs: readonly Pick<Pair, 'active' | 'rate' | 'state'>[]) {
  const active = pairs.filter((pair) => pair.active);
  const priced = active.filter(({ rate }) => rate !== null);
  const stale = priced.filter(({ state }) => state === 'stale').length;
  // Switched on and priced, but the rate is outside of what the pair allows.
  const halted = priced.filter(({ state }) => state === 'paused').length;
  const unpriced = active.length - priced.length;
  const live = priced.filter(({ state }) => state === 'live').length;
  const others = priced.length - live - stale - halted;
  const paused = pairs.length - active.length;
  return { live, others, paused, unpriced, stale, halted };
}
