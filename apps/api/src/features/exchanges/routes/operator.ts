/** Operators' actions, queues and reconciliation. */
import * as endpoints from '@cambist/contract/desk';
import type { Endpoint } from '@cambist/contract/endpoint';
import { reconcile } from '@cambist/contract/reserves';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/http/serve.ts';
import { approve } from '../actions/approve.ts';
import { claim, release } from '../actions/claim.ts';
import { complete } from '../actions/complete.ts';
import { note } from '../actions/note.ts';
import { reject } from '../actions/reject.ts';
import { runAction, type Action } from '../actions/run.ts';
import type { Operator } from '../actions/transition.ts';
import { countQueues, getForOperator, listQueue } from '../operator-reads.ts';
import { reconcileNow, reconcileIfDue } from '../reconciliation.ts';

export function serveOperator({ admin }: Ways, deps: Deps): void {
  const serveAction = <E extends Endpoint>(
    endpoint: E,
    action: Action<E, Operator>,
    prepare?: (deps: Deps) => Promise<void>,
  ) =>
    admin.serve(endpoint, async (ask) => {
      await prepare?.(deps);
      const { actor, origin, request } = ask;
      return runAction(deps, endpoint, ask, { actor, origin, session: request.session }, action);
    });

  serveAction(endpoints.claimExchange, claim);
  serveAction(endpoints.releaseExchange, release);
  serveAction(endpoints.addNote, note);
  serveAction(endpoints.approveExchange, approve, reconcileIfDue);
  serveAction(endpoints.rejectExchange, reject);
  serveAction(endpoints.completeExchange, complete, reconcileIfDue);

  admin.serve(endpoints.listDeskExchanges, ({ actor, query }) => listQueue(deps.db, actor, query));
  admin.serve(endpoints.queueCounts, async ({ actor }) => ({
    data: await countQueues(deps.db, actor),
  }));
  admin.serve(endpoints.getDeskExchange, ({ actor, params }) =>
    getForOperator(deps, actor, params.number),
  );
  admin.serve(reconcile, async () => ({ data: await reconcileNow(deps) }));
}
