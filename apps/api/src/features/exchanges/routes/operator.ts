/** Operators' actions, queues and reconciliation. */
import * as customers from '@cambist/contract/customers';
import * as views from '@cambist/contract/desk-views';
import * as reads from '@cambist/contract/desk';
import * as endpoints from '@cambist/contract/desk-actions';
import type { Endpoint } from '@cambist/contract/endpoint';
import { reconcile } from '@cambist/contract/reserves';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/http/serve.ts';
import { previewEmailOf } from '../actions/preview-email.ts';
import { approve } from '../actions/approve.ts';
import { claim, release } from '../actions/claim.ts';
import { complete } from '../actions/complete.ts';
import { listOutcomes } from '../actions/decide.ts';
import { recordLateReceipt } from '../actions/late-receipt.ts';
import { answerCustomer, note, readByDesk } from '../actions/messages.ts';
import { ask } from '../actions/questions.ts';
import { recordReceipt, reverseReceipt } from '../actions/receipts.ts';
import { payRefund, refund, returnRefund } from '../actions/refunds.ts';
import { reopen } from '../actions/reopen.ts';
import { reject } from '../actions/reject.ts';
import { runAction, type Action } from '../actions/run.ts';
import type { Operator } from '../actions/transition.ts';
import { addNote as addCustomerNote, getCustomer, listExchangesOf } from '../desk/customers.ts';
import { addView, removeView, renameView } from '../desk/views.ts';
import { listChoices, listViews } from '../store/desk-views.ts';
import { exportDesk } from '../desk/export.ts';
import { countQueues, getForOperator, listQueue } from '../operator-reads.ts';
import { onceReconciled, sharedReconciliation } from '../reconciliation.ts';

export function serveOperator({ admin }: Ways, deps: Deps): void {
  const serveAction = <E extends Endpoint>(endpoint: E, action: Action<E, Operator>) =>
    admin.serve(endpoint, async (asked) => {
      const { actor, origin, request } = asked;
      const operator = { who: 'operator', actor, origin, session: request.session } as const;
      return onceReconciled(deps, () => runAction(deps, endpoint, asked, operator, action));
    });

  serveAction(endpoints.recordReceipt, recordReceipt);
  serveAction(endpoints.reverseReceipt, reverseReceipt);
  serveAction(endpoints.recordLateReceipt, recordLateReceipt);
  serveAction(endpoints.askQuestion, ask);
  serveAction(endpoints.beginRefund, refund);
  serveAction(endpoints.payRefund, payRefund);
  serveAction(endpoints.returnRefund, returnRefund);
  serveAction(endpoints.reopenExchange, reopen);
  serveAction(endpoints.answerCustomer, answerCustomer);
  admin.serve(endpoints.previewEmail, (asked) => previewEmailOf(deps, asked));
  admin.serve(endpoints.readMessages, ({ params }) => readByDesk(deps, params.number));
  serveAction(endpoints.claimExchange, claim);
  serveAction(endpoints.releaseExchange, release);
  serveAction(endpoints.addNote, note);
  serveAction(endpoints.approveExchange, approve);
  serveAction(endpoints.rejectExchange, reject);
  serveAction(endpoints.completeExchange, complete);

  admin.serve(reads.listDeskExchanges, ({ actor, query }) => listQueue(deps, actor, query));
  admin.serve(views.exportDeskExchanges, async ({ actor, origin, query, reply }) =>
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="exchanges.csv"')
      .header('cache-control', 'private, no-store')
      .send(await exportDesk(deps, { actor, origin }, query)),
  );
  admin.serve(views.listDeskViews, async ({ actor }) => ({
    data: await listViews(deps.db, actor.id),
    ...(await listChoices(deps.db)),
  }));
  admin.serve(views.addDeskView, async ({ actor, body }) => ({
    data: await addView(deps.db, actor, body),
  }));
  admin.serve(views.renameDeskView, async ({ actor, params, body }) => ({
    data: await renameView(deps.db, actor, params.id, body.name),
  }));
  admin.serve(views.deleteDeskView, ({ actor, params }) => removeView(deps.db, actor, params.id));
  admin.serve(customers.getDeskCustomer, async ({ params }) => ({
    data: await getCustomer(deps, params.id),
  }));
  admin.serve(customers.listCustomerExchanges, ({ actor, params, query }) =>
    listExchangesOf(deps, actor, params.id, query),
  );
  serveAction(customers.addCustomerNote, addCustomerNote);
  admin.serve(reads.queueCounts, async ({ actor }) => ({
    data: await countQueues(deps.db, actor),
  }));
  admin.serve(reads.getDeskExchange, ({ actor, params }) =>
    getForOperator(deps, actor, params.number),
  );
  admin.serve(reads.listOutcomes, ({ actor, params, query }) =>
    listOutcomes(deps, actor, { ...params, ...query }),
  );
  admin.serve(reconcile, async () => ({ data: await sharedReconciliation(deps) }));
}
