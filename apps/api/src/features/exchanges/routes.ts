/**
 * The exchange's ways in: quotes for anyone, the customer's actions and reads,
 * the desk's queues and decisions, reconciliation (only exchanges know what the
 * ledger should hold), and the tasks that end what is overdue.
 */
import * as desk from '@cambist/contract/desk';
import * as customer from '@cambist/contract/exchanges';
import { createQuote } from '@cambist/contract/quotes';
import { reconcile } from '@cambist/contract/reserves';
import { getExchangeStatus, getStatusLink } from '@cambist/contract/status-link';
import type { FastifyRequest } from 'fastify';
import { invalid } from '#kernel/refusal.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import { checkPerson } from '#platform/guards.ts';
import { backToPage, isAnothers, linkFailed } from '#platform/personal-links.ts';
import type { Ways } from '#platform/serve.ts';
import { isStateful } from '#platform/stateful.ts';
import { sessionOf } from '#features/auth/auth.ts';
import { sendProof } from '#features/proofs/proofs.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import * as mine from './customer-actions.ts';
import * as decisions from './desk-actions.ts';
import { countQueues, listQueue } from './desk.ts';
import * as exchange from './exchanges.ts';
import { openFollowers } from './followers.ts';
import { exportOwn, latest, listOwn } from './history.ts';
import { checkOfLargeApprovals } from './large-approvals.ts';
import { overdueTask } from './overdue.ts';
import { quote } from './quotes.ts';
import { compareAndRecord, compareIfDue, reconciliationTask } from './reconciliation.ts';
import { retentionTask, unpaidProofsTask } from './retention.ts';
import { ownStatusLink, statusOf } from './shared-status.ts';
import { latestAnswer } from './transition.ts';

export const exchanges: Feature = {
  name: 'exchanges',
  routes(ways, deps) {
    const followers = openFollowers(deps);
    servePublic(ways, deps);
    serveReads(ways, deps);
    serveCustomer(ways, deps);
    serveDesk(ways, deps);
    ways.member.serve(customer.followExchange, ({ params, actor, request, reply }) =>
      followers.follow(request, reply, actor, params.number),
    );
  },
  tasks: (deps) => [
    overdueTask(deps),
    reconciliationTask(deps),
    retentionTask(deps),
    unpaidProofsTask(deps),
  ],
};

function servePublic(ways: Ways, deps: Deps): void {
  ways.public.serve(createQuote, async ({ body, request }) => {
    const actor = await personBehind(deps, request);
    return { data: await quote(await exchange.openWork(deps), actor, body) };
  });
  ways.public.serve(customer.latestExchanges, ({ reply }) =>
    deps.published.send(reply, latestAnswer, async () => ({ data: await latest(deps.db) })),
  );
  ways.public.serve(getExchangeStatus, async ({ params }) => ({
    data: await statusOf(deps, params.token),
  }));
}

/** A public route has no guard that reads the session, but a quote is bound to who asked for it. */
async function personBehind(deps: Deps, request: FastifyRequest): Promise<Actor | null> {
  const { headers } = request;
  if (headers.cookie === undefined || !isStateful(headers, deps.config)) return null;
  const session = await sessionOf(deps, headers.cookie);
  checkPerson(request, session);
  return session.member?.actor ?? null;
}

function serveReads({ member }: Ways, deps: Deps): void {
  member.serve(customer.listExchanges, ({ actor, query }) => listOwn(deps, actor, query));
  member.serve(
    customer.exportExchanges,
    async ({ actor, query, reply }) => {
      if (isAnothers(query, actor)) return backToPage(deps, reply, '/exchanges', 'another_person');
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="exchanges.csv"')
        .header('cache-control', 'private, no-store')
        .send(await exportOwn(deps.db, actor, query));
    },
    linkFailed(deps, '/exchanges'),
  );
  member.serve(customer.getExchange, async ({ actor, params }) => ({
    data: await exchange.getOwn(deps, actor, params.number),
  }));
  member.serve(getStatusLink, async ({ actor, params }) => ({
    data: await ownStatusLink(deps, actor, params.number),
  }));
  member.serve(
    customer.getProofFile,
    async ({ actor, params, query, reply }) => {
      // The exchange's own page is not here for the other.
      if (isAnothers(query, actor)) return backToPage(deps, reply, '/exchanges', 'another_person');
      const proof = await exchange.findOwnProof(deps.db, actor, params);
      return sendProof(deps, reply, proof, { original: false });
    },
    linkFailed(deps, '/exchanges/{number}', '/exchanges'),
  );
}

function serveCustomer({ member }: Ways, deps: Deps): void {
  member.serve(customer.createExchange, ({ actor, body, idempotencyKey: key }) => {
    if (!body.terms_accepted) throw invalid({ terms_accepted: 'The terms must be accepted.' });
    const ask = { endpoint: customer.createExchange, key, words: body };
    return exchange.forCustomer(deps, actor, ask, async (work, tx) => {
      // Admins get through, to try what they mend.
      if (actor.role !== 'admin') await refuseWhileClosed(deps);
      return mine.create(work, tx, actor, body);
    });
  });
  member.serve(customer.uploadProof, async ({ actor, params, request }) => ({
    data: await exchange.addProof(deps, actor, params.number, request),
  }));
  member.serve(customer.submitPayment, ({ actor, params, body, idempotencyKey: key }) => {
    const ask = { endpoint: customer.submitPayment, key, words: { ...params, ...body } };
    const seen = { number: params.number, version: body.version };
    return exchange.forCustomer(deps, actor, ask, (work, tx) =>
      mine.submit(work, tx, actor, seen, body.payment_reference),
    );
  });
  member.serve(customer.undoSubmission, ({ actor, params, query, idempotencyKey: key }) => {
    const seen = { ...params, ...query };
    const ask = { endpoint: customer.undoSubmission, key, words: seen };
    return exchange.forCustomer(deps, actor, ask, (work, tx) => mine.undo(work, tx, actor, seen));
  });
  member.serve(customer.cancelExchange, ({ actor, params, body, idempotencyKey: key }) => {
    const seen = { ...params, ...body };
    const ask = { endpoint: customer.cancelExchange, key, words: seen };
    return exchange.forCustomer(deps, actor, ask, (work, tx) => mine.cancel(work, tx, actor, seen));
  });
}

function serveDesk({ admin }: Ways, deps: Deps): void {
  admin.serve(desk.listDeskExchanges, ({ actor, query }) => listQueue(deps.db, actor, query));
  admin.serve(desk.queueCounts, async ({ actor }) => ({ data: await countQueues(deps.db, actor) }));
  admin.serve(desk.getDeskExchange, async ({ actor, params }) => ({
    data: await exchange.getForDesk(deps, actor, params.number),
  }));
  admin.serve(desk.claimExchange, ({ actor, origin, params, body }) => {
    const operator = { actor, origin };
    return exchange.forOperatorOnce(deps, operator, (work, tx) =>
      decisions.claim(work, tx, operator, { ...params, ...body }),
    );
  });
  admin.serve(desk.releaseExchange, ({ actor, origin, params, query }) => {
    const operator = { actor, origin };
    return exchange.forOperatorOnce(deps, operator, (work, tx) =>
      decisions.release(work, tx, operator, { ...params, ...query }),
    );
  });
  admin.serve(desk.addNote, ({ actor, origin, params, body, idempotencyKey: key }) => {
    const operator = { actor, origin };
    const ask = { endpoint: desk.addNote, key, words: { ...params, ...body } };
    return exchange.forOperator(deps, operator, ask, (work, tx) =>
      decisions.note(work, tx, operator, params.number, body.text),
    );
  });
  serveDecisions({ admin }, deps);
  admin.serve(reconcile, async () => ({ data: await compareAndRecord(deps) }));
}

function serveDecisions({ admin }: Pick<Ways, 'admin'>, deps: Deps): void {
  admin.serve(desk.approveExchange, async ({ actor, origin, params, body, ...asked }) => {
    const operator = { actor, origin };
    const { version, ...words } = body;
    const { idempotencyKey: key, request } = asked;
    const ask = { endpoint: desk.approveExchange, key, words: { ...params, ...body } };
    const checkLarge = await checkOfLargeApprovals(deps, request.session);
    await compareIfDue(deps);
    return exchange.forOperator(deps, operator, ask, (work, tx) =>
      decisions.approve(work, tx, operator, { ...params, version }, words, checkLarge),
    );
  });
  admin.serve(desk.rejectExchange, ({ actor, origin, params, body, idempotencyKey: key }) => {
    const operator = { actor, origin };
    const seen = { ...params, version: body.version };
    const ask = { endpoint: desk.rejectExchange, key, words: { ...params, ...body } };
    return exchange.forOperator(deps, operator, ask, (work, tx) =>
      decisions.reject(work, tx, operator, seen, body.reason),
    );
  });
  admin.serve(desk.completeExchange, async ({ actor, origin, params, body, ...asked }) => {
    const { idempotencyKey: key } = asked;
    await compareIfDue(deps);
    const operator = { actor, origin };
    const seen = { ...params, version: body.version };
    const ask = { endpoint: desk.completeExchange, key, words: { ...params, ...body } };
    return exchange.forOperator(deps, operator, ask, (work, tx) =>
      decisions.complete(work, tx, operator, seen, body.payout_reference),
    );
  });
}
