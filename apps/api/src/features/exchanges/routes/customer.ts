/** Customers' actions on their exchanges, and their reads. */
import * as actions from '@cambist/contract/customer-actions';
import * as endpoints from '@cambist/contract/exchanges';
import type { Endpoint } from '@cambist/contract/endpoint';
import { getStatusLink } from '@cambist/contract/status-link';
import type { Deps } from '#platform/deps.ts';
import { linkFailed } from '#platform/http/personal-links.ts';
import type { Ways } from '#platform/http/serve.ts';
import { sendProof } from '#features/proofs/proofs.ts';
import { changePayout } from '../actions/change-payout.ts';
import { create } from '../actions/create.ts';
import { readByCustomer, writeMessage } from '../actions/messages.ts';
import { answer } from '../actions/questions.ts';
import { setRefundAccount } from '../actions/refunds.ts';
import { runAction, type Action } from '../actions/run.ts';
import { cancel, submit, undo } from '../actions/submit.ts';
import type { Customer } from '../actions/transition.ts';
import { uploadProof } from '../actions/upload-proof.ts';
import { exportOwn, findOwnProof, getOwn, listOwn } from '../customer-reads.ts';
import type { Follow } from '../followers.ts';
import { receiptOf } from '../receipt.ts';
import { ownStatusLink } from '../status-link.ts';

export function serveCustomer({ member }: Ways, deps: Deps): void {
  const serveAction = <E extends Endpoint>(endpoint: E, action: Action<E, Customer>) =>
    member.serve(endpoint, (ask) =>
      runAction(deps, endpoint, ask, { who: 'customer', actor: ask.actor }, action),
    );

  serveAction(endpoints.createExchange, create);
  serveAction(actions.submitPayment, submit);
  serveAction(actions.undoSubmission, undo);
  serveAction(actions.cancelExchange, cancel);
  serveAction(actions.answerQuestion, answer);
  serveAction(actions.changePayoutFields, changePayout);
  serveAction(actions.setRefundAccount, setRefundAccount);
  serveAction(actions.writeMessage, writeMessage);
  member.serve(actions.readMessages, ({ actor, params }) =>
    readByCustomer(deps, actor, params.number),
  );
  member.serve(endpoints.uploadProof, async ({ actor, params, request }) => ({
    data: await uploadProof(deps, actor, params.number, request),
  }));
}

export function serveCustomerReads({ member }: Ways, deps: Deps, follow: Follow): void {
  member.serve(endpoints.followExchange, (ask) => follow(ask, ask.params.number));
  member.serve(endpoints.listExchanges, ({ actor, query }) => listOwn(deps, actor, query));
  member.serve(
    endpoints.exportExchanges,
    async ({ actor, query, reply }) => {
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="exchanges.csv"')
        .header('cache-control', 'private, no-store')
        .send(await exportOwn(deps.db, actor, query));
    },
    linkFailed(deps, '/exchanges'),
  );
  member.serve(
    endpoints.getReceipt,
    async ({ actor, params: { number }, reply }) => {
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${number}.pdf"`)
        .header('cache-control', 'private, no-store')
        .send(await receiptOf(deps, actor, number));
    },
    linkFailed(deps, '/exchanges/{number}', '/exchanges'),
  );
  member.serve(endpoints.getExchange, ({ actor, params }) => getOwn(deps, actor, params.number));
  member.serve(getStatusLink, async ({ actor, params }) => ({
    data: await ownStatusLink(deps, actor, params.number),
  }));
  member.serve(
    endpoints.getProofFile,
    async ({ actor, params, reply }) => {
      const proof = await findOwnProof(deps.db, actor, params);
      return sendProof(deps, reply, proof, { original: false });
    },
    linkFailed(deps, '/exchanges/{number}', '/exchanges'),
  );
}
