import * as contract from '@cambist/contract/payout-accounts';
import { memberContextOf } from '#features/auth/sessions/request-context.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import { getOwn, listOwn, remove, rename, save } from './payout-accounts.ts';

export const payoutAccounts: Feature = {
  name: 'payout-accounts',
  routes({ member }, deps) {
    member.serve(contract.listPayoutAccounts, async ({ actor }) => ({
      data: await listOwn(deps.db, actor.id),
    }));
    member.serve(contract.savePayoutAccount, (ask) =>
      onceNamed(
        deps,
        contract.savePayoutAccount,
        ask,
        (once) => save(once, memberContextOf(ask), ask.body),
        async (id) => ({ data: await getOwn(deps.db, ask.actor.id, id) }),
      ),
    );
    member.serve(contract.renamePayoutAccount, async ({ actor, params, body }) => ({
      data: await rename(deps.db, actor.id, params.id, body.label),
    }));
    member.serve(contract.deletePayoutAccount, ({ params, ...ask }) =>
      remove(deps, memberContextOf(ask), params.id),
    );
  },
};
