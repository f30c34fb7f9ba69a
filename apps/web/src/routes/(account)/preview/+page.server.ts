import { converter } from '@cambist/contract/pairs';
import { listPayoutAccounts } from '@cambist/contract/payout-accounts';
import { orElse } from '#lib/api/or-else.ts';
import type { PageServerLoad } from './$types.js';

/** The desk as it stands. What was entered lives in the address and in the tab. */
export const load: PageServerLoad = async ({ locals }) => {
  const [{ data }, saved] = await Promise.all([
    locals.call(converter),
    orElse(locals.call(listPayoutAccounts), null),
  ]);
  return { desk: data, accounts: saved?.data ?? null };
};
