import { getMailStatus } from '@cambist/contract/mail';
import { listPairs } from '@cambist/contract/pairs';
import { reconcile } from '@cambist/contract/reserves';
import { may } from '#lib/admin/permissions.ts';
import { ApiError } from '#lib/api.ts';
import type { PageServerLoad } from './$types.js';

/** What this admin may not see is undefined; what did not answer is null. */
export const load: PageServerLoad = async ({ locals }) => {
  const { call, user } = locals;
  const money = may(user, 'money');
  const [pairs, reconciliation, mail] = await Promise.all([
    money ? known(call(listPairs)) : undefined,
    money ? known(call(reconcile)) : undefined,
    may(user, 'settings') ? known(call(getMailStatus)) : undefined,
  ]);
  return { pairs: pairs && priced(pairs), reconciliation, mail };
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

function priced(pairs: readonly { active: boolean; rate: string | null }[]) {
  const active = pairs.filter((pair) => pair.active);
  const live = active.filter(({ rate }) => rate !== null).length;
  return { live, unpriced: active.length - live };
}
