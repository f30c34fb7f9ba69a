import { listSessions } from '@cambist/contract/accounts';
import { listExchanges } from '@cambist/contract/exchanges';
import { listPayoutAccounts } from '@cambist/contract/payout-accounts';
import { listIdentities } from '@cambist/contract/providers';
import { getSecondFactor } from '@cambist/contract/second-factor';
import { locales } from '#lib/paraglide/runtime.js';
import { orElse } from '#lib/api/or-else.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { PageServerLoad } from './$types.js';

/** Open exchanges block deleting the account. */
async function openExchanges(call: App.Locals['call']) {
  const answer = await orElse(call(listExchanges, { query: { state: 'open', per_page: 5 } }), null);
  return answer && { numbers: answer.data.map(({ number }) => number), total: answer.meta.total };
}

export const load: PageServerLoad = async ({ locals }) => {
  const { call } = locals;
  const [sessions, factor, identities, accounts, open, providers] = await Promise.all([
    orElse(call(listSessions), null),
    orElse(call(getSecondFactor), null),
    orElse(call(listIdentities), null),
    orElse(call(listPayoutAccounts), null),
    openExchanges(call),
    offeredProviders(call),
  ]);
  return {
    sessions: sessions?.data ?? null,
    factor: factor?.data ?? null,
    identities: identities?.data ?? null,
    accounts: accounts?.data ?? null,
    open,
    providers,
    locales: [...locales],
  };
};
