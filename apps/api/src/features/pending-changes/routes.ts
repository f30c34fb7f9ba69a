import { createCurrency, updateCurrency } from '@cambist/contract/currencies';
import {
  confirmPendingChange,
  listPendingChanges,
  objectToPendingChange,
} from '@cambist/contract/pending-changes';
import { adjustReserve } from '@cambist/contract/reserves';
import { get } from '#features/currencies/currencies.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Feature } from '#platform/feature.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import type { Ask } from '#platform/http/serve.ts';
import { adjust } from './adjustments.ts';
import { createWithPayees, updateWithPayees } from './payees.ts';
import { decide, endDue, list, waitingPayees, type Asker } from './pending-changes.ts';

type Asked = Pick<Ask<unknown, Actor>, 'actor' | 'origin' | 'request'>;

function askerOf({ actor, origin, request }: Asked): Asker {
  return { actor, origin, session: request.session };
}

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
        async (once) => (await createWithPayees(once, askerOf(ask), ask.body)).slug,
        withWaiting,
      ),
    );
    admin.serve(updateCurrency, async ({ params, body, ...ask }) => {
      await updateWithPayees(deps, askerOf(ask), params.slug, body);
      return withWaiting(params.slug);
    });
    admin.serve(adjustReserve, ({ params, body, idempotencyKey, ...ask }) =>
      adjust(deps, askerOf(ask), params.currency, body, idempotencyKey),
    );
    admin.serve(listPendingChanges, async ({ actor }) => ({ data: await list(deps.db, actor) }));
    admin.serve(confirmPendingChange, ({ params, idempotencyKey, ...ask }) =>
      decide(deps, askerOf(ask), params.id, 'confirmation', idempotencyKey),
    );
    admin.serve(objectToPendingChange, ({ params, idempotencyKey, ...ask }) =>
      decide(deps, askerOf(ask), params.id, 'objection', idempotencyKey),
    );
  },
  tasks: (deps) => [
    { name: 'pending-changes', cron: '* * * * *', again: true, run: () => endDue(deps) },
  ],
};
