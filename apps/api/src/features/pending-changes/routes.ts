import { createCurrency, updateCurrency } from '@cambist/contract/currencies';
import {
  confirmPendingChange,
  listPendingChanges,
  objectToPendingChange,
} from '@cambist/contract/pending-changes';
import { adjustReserve } from '@cambist/contract/reserves';
import { get } from '#features/currencies/currencies.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import { adjust } from './adjustments.ts';
import { createWithPayees, updateWithPayees } from './payees.ts';
import { decide, endDue, list, waitingPayees } from './pending-changes.ts';

export const pendingChanges: Feature = {
  name: 'pending-changes',
  routes({ admin }, deps) {
    const withWaiting = async (slug: string) => {
      const data = await get(deps.db, slug);
      return { data, pending_change: await waitingPayees(deps.db, data.id) };
    };
    admin.serve(createCurrency, (ask) =>
      onceNamed(
        deps,
        createCurrency,
        ask,
        async (once) => (await createWithPayees(once, ask, ask.body)).slug,
        withWaiting,
      ),
    );
    admin.serve(updateCurrency, async (ask) => {
      await updateWithPayees(deps, ask, ask.params.slug, ask.body);
      return withWaiting(ask.params.slug);
    });
    admin.serve(adjustReserve, (ask) => adjust(deps, ask));
    admin.serve(listPendingChanges, async ({ actor }) => ({ data: await list(deps.db, actor) }));
    for (const endpoint of [confirmPendingChange, objectToPendingChange])
      admin.serve(endpoint, (ask) => decide(deps, endpoint, ask));
  },
  tasks: (deps) => [
    { name: 'pending-changes', cron: '* * * * *', again: true, run: () => endDue(deps) },
  ],
};
