/** Ways in to the newsletter: asking for it, the links of its letters, and the desk's list. */
import * as contract from '@cambist/contract/newsletter';
import type { Feature } from '#platform/feature.ts';
import { endPage } from './links.ts';
import {
  confirm,
  confirmationSight,
  end,
  endSight,
  exportAll,
  list,
  noteExport,
  remove,
  subscribe,
} from './newsletter.ts';

export const newsletter: Feature = {
  name: 'newsletter',
  routes(ways, deps) {
    ways.public.serve(contract.subscribe, async ({ body }) => ({
      data: await subscribe(deps, body),
    }));
    ways.public.serve(contract.getSubscription, async ({ params }) => ({
      data: await confirmationSight(deps, params.token),
    }));
    ways.public.serve(contract.confirmSubscription, ({ params }) => confirm(deps, params.token));
    ways.public.serve(contract.getUnsubscription, async ({ params }) => ({
      data: await endSight(deps, params.token),
    }));
    ways.public.serve(contract.unsubscribe, ({ params }) => end(deps, params.token));
    ways.public.serve(contract.openUnsubscription, async ({ params, reply }) =>
      reply.redirect(endPage(deps.config.frontendUrl, params.token)),
    );
    ways.admin.serve(contract.listSubscribers, ({ query }) => list(deps.db, query));
    ways.admin.serve(contract.exportSubscribers, async ({ actor, origin, reply }) => {
      await noteExport(deps.db, actor, origin);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="subscribers.csv"')
        .header('cache-control', 'private, no-store')
        .send(exportAll(deps.db));
    });
    ways.admin.serve(contract.deleteSubscriber, ({ params, actor, origin }) =>
      remove(deps, actor, origin, params.id),
    );
  },
};
