/**
 * What can be done with an exchange: each action is one transaction, safe to
 * repeat with its idempotency key, and answers with the exchange as it then is.
 * The ledger is posted as late as can be, because a reserve's row is shared by
 * all customers. docs/decisions/0011-exchange-workflow.md has the why.
 */
import type { Exchange as ExchangeView, Proof as ProofView } from '@cambist/contract/exchanges';
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { Endpoint } from '@cambist/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { snapshot, transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { idempotent, type IdempotentAnswer } from '#platform/idempotency.ts';
import { postTogether } from '#features/ledger/ledger.ts';
import * as proofs from '#features/proofs/proofs.ts';
import * as settings from '#features/content/settings/settings.ts';
import { endWaiting, type Outcome } from './customer-actions.ts';
import { tellCustomer } from './customer-letters.ts';
import type { Operator } from './desk-actions.ts';
import { deskDetail } from './desk.ts';
import * as store from './store.ts';
import { apply, factsOf, take, type Doer, type Work } from './transition.ts';
import { exchangeView } from './views.ts';
import { refusalOf, rowOf } from './workflow.ts';

export { compareAndRecord } from './reconciliation.ts';
export { cancel, create, endWaiting, submit, type Outcome } from './customer-actions.ts';
export { approve, claim, complete, reject, type Operator } from './desk-actions.ts';
export { quote } from './quotes.ts';
export { everythingOwn, forgetUnpaid } from './retention.ts';
export { customerCondition } from './search-store.ts';
export { countOpen, hasExchanges, lockCustomer } from './store.ts';
export type { Work } from './transition.ts';
export { openStates } from './workflow.ts';

type Answer<T> = Promise<IdempotentAnswer<{ data: T }>>;

/** Which promise is kept, for whom, and how a repetition of it is known. */
export interface Repeatable {
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'status'>;
  readonly key: string;
  /** Path parameters, query and body. */
  readonly words: unknown;
}

/**
 * What the actions work with. `moment` is given only where a past is made, by
 * the demo desk's seed; everywhere else time is the database's.
 */
export async function openWork(
  deps: Deps,
  moment: Work['moment'] = store.databaseTime,
): Promise<Work> {
  const general = await settings.read(deps, 'general');
  return {
    ...deps,
    moment,
    undoMinutes: general.undo_minutes,
    claimMinutes: general.claim_minutes,
    maxOpenExchanges: general.max_open_exchanges,
    timeZone: general.time_zone,
  };
}

/** Does a customer's action. @throws Refusal as the action does */
export async function forCustomer(
  deps: Deps,
  actor: Actor,
  ask: Repeatable,
  act: (work: Work, tx: Tx) => Promise<Outcome>,
): Answer<ExchangeView> {
  const work = await openWork(deps);
  return idempotent(deps, repeatable(actor, ask), async (tx) => {
    const outcome = await act(work, tx);
    await tellCustomer(work, tx, outcome);
    const data = await customerView(work, tx, outcome.exchange, outcome.taken.facts.now);
    await postTogether(tx, outcome.postings);
    return { data };
  });
}

/** Does an operator's action. @throws Refusal as the action does */
export async function forOperator(
  deps: Deps,
  operator: Operator,
  ask: Repeatable,
  act: (work: Work, tx: Tx) => Promise<Outcome>,
): Answer<DeskExchangeDetail> {
  const work = await openWork(deps);
  return idempotent(deps, repeatable(operator.actor, ask), (tx) =>
    decided(work, tx, operator, act),
  );
}

/** The same for what needs no key: doing it twice changes nothing, or is refused by its version. */
export async function forOperatorOnce(
  deps: Deps,
  operator: Operator,
  act: (work: Work, tx: Tx) => Promise<Outcome>,
): Promise<{ data: DeskExchangeDetail }> {
  const work = await openWork(deps);
  return transaction(deps.db, (tx) => decided(work, tx, operator, act));
}

async function decided(
  work: Work,
  tx: Tx,
  { actor }: Operator,
  act: (work: Work, tx: Tx) => Promise<Outcome>,
): Promise<{ data: DeskExchangeDetail }> {
  const { exchange, postings, taken } = await act(work, tx);
  await tellCustomer(work, tx, { taken, exchange });
  // Before the view: what is left of the reserve stands in it.
  await postTogether(tx, postings);
  return { data: await deskDetail(work, tx, actor, exchange, taken.facts.now) };
}

function repeatable(actor: Actor, { endpoint, key, words }: Repeatable) {
  const { method, path, status } = endpoint;
  return { actorId: actor.id, route: `${method} ${path}`, key, request: words, status };
}

async function customerView(
  work: Work,
  tx: Tx,
  exchange: store.Exchange,
  now: Date,
): Promise<ExchangeView> {
  const files = await proofs.proofsOf(tx, exchange.id);
  const events = await store.listEvents(tx, exchange.id);
  const facts = factsOf(work, exchange, files.length, exchange.user_id, now);
  return exchangeView(exchange, { proofs: files, events, facts });
}

/** One exchange of theirs, as a snapshot. @throws Refusal 404, also for another's */
export async function getOwn(deps: Deps, actor: Actor, number: string): Promise<ExchangeView> {
  const work = await openWork(deps);
  return snapshot(deps.db, async (tx) => {
    const exchange = await findOwn(tx, actor, number);
    return customerView(work, tx, exchange, await work.moment(tx));
  });
}

/** @throws Refusal 404 */
export async function getForDesk(
  deps: Deps,
  actor: Actor,
  number: string,
): Promise<DeskExchangeDetail> {
  const work = await openWork(deps);
  return snapshot(deps.db, async (tx) => {
    const exchange = await store.findExchange(tx, number);
    if (!exchange) throw notFound();
    return deskDetail(work, tx, actor, exchange, await work.moment(tx));
  });
}

/** @throws Refusal 404, also for another's: that it exists is nobody's business */
export async function findOwn(
  db: Tx | Deps['db'],
  actor: Actor,
  number: string,
): Promise<store.Exchange> {
  const exchange = await store.findExchange(db, number);
  if (!exchange || exchange.user_id !== actor.id) throw notFound();
  return exchange;
}

/** A proof of an exchange of theirs; undefined when it has no such proof. @throws Refusal 404 */
export async function findOwnProof(
  db: Deps['db'],
  actor: Actor,
  { number, id }: { number: string; id: string },
): Promise<proofs.Proof | undefined> {
  const exchange = await findOwn(db, actor, number);
  return (await proofs.proofsOf(db, exchange.id)).find((proof) => proof.id === id);
}

/**
 * Receives a proof and adds it to an exchange. The same file sent again is the
 * same proof. The version stays, since nobody's decision is overtaken by it.
 * @throws Refusal 404; 409 `exchange_not_payable`, `too_many_proofs`; 413; 422 on `proof`; 429
 *   `too_many_uploads`; 503 `storage_full`, or when too many files wait to be inspected
 */
export async function addProof(
  deps: Deps,
  actor: Actor,
  number: string,
  request: FastifyRequest,
): Promise<ProofView> {
  const work = await openWork(deps);
  // Judged before a byte is read, so that nothing is uploaded in vain. Where there are proofs it
  // may be one of them again, whose answer was lost; that is known only once it was read.
  const before = await findOwn(deps.db, actor, number);
  const known = await proofs.proofsOf(deps.db, before.id);
  const facts = factsOf(work, before, known.length, actor.id, await work.moment(deps.db));
  const refusal = refusalOf(rowOf('upload_proof', 'customer'), facts);
  if (refusal && known.length === 0) throw refusal;
  const uploaded = await proofs.receiveProof(deps, request, actor.id);
  const same = known.find((proof) => proof.sha256.equals(uploaded.file.sha256));
  if (same || refusal) {
    await uploaded.file.discard();
    if (same) return proofs.proofView(same);
    throw refusal;
  }
  return attachProof(work, actor, number, await proofs.keepProof(deps, uploaded));
}

/** Writes the row for a received file, or discards the file. */
export async function attachProof(
  work: Work,
  actor: Actor,
  number: string,
  received: proofs.ReceivedProof,
): Promise<ProofView> {
  try {
    const { proof, isNew } = await transaction(work.db, (tx) =>
      attachIn(work, tx, actor, number, received),
    );
    if (!isNew) await proofs.discardProof(work, received);
    return proofs.proofView(proof);
  } catch (error) {
    // After any other error the row may be there: then the hourly sweep decides.
    if (error instanceof Refusal) await proofs.discardProof(work, received);
    throw error;
  }
}

export async function attachIn(
  work: Work,
  tx: Tx,
  actor: Actor,
  number: string,
  received: proofs.ReceivedProof,
): Promise<{ proof: proofs.Proof; isNew: boolean }> {
  const by: Doer = { who: 'customer', actor };
  const locked = await store.lockExchange(tx, number);
  const known = locked?.user_id === actor.id ? await proofs.proofsOf(tx, locked.id) : [];
  const same = known.find((proof) => proof.sha256.equals(received.sha256));
  if (same) return { proof: same, isNew: false };
  const taken = await take(work, tx, { action: 'upload_proof', by, number });
  const proof = await proofs.recordProof(tx, received, {
    exchange_id: taken.exchange.id,
    uploaded_by: actor.id,
    at: taken.facts.now,
  });
  const { exchange } = await apply(work, tx, taken, { data: { proof: proof.id } });
  await tellCustomer(work, tx, { taken, exchange });
  return { proof, isNew: true };
}

export interface Ended {
  readonly expired: number;
  readonly submitted: number;
  /** Left as they were, each with an entry in the log. */
  readonly failed: number;
}

/**
 * Ends unpaid exchanges that are past their time: with a proof they are submitted, without one
 * they expire and free their reserve. Each in a transaction of its own, so that one that cannot
 * be ended holds up no other.
 */
export async function endOverdue(work: Work): Promise<Ended> {
  const total = { expired: 0, submitted: 0, failed: 0 };
  const failed: string[] = [];
  for (;;) {
    let number: string | undefined;
    try {
      const state = await transaction(work.db, async (tx) => {
        // Skips rows that others hold: a customer may be submitting right now.
        number = await store.lockOverdue(tx, await work.moment(tx), failed);
        if (number === undefined) return null;
        const outcome = await endWaiting(work, tx, number);
        const { exchange, postings } = outcome;
        await tellCustomer(work, tx, outcome);
        await postTogether(tx, postings);
        return exchange.state;
      });
      if (state === null) return total;
      total[state === 'expired' ? 'expired' : 'submitted'] += 1;
    } catch (error) {
      // Without a number it is the database that fails, not an exchange.
      if (number === undefined) throw error;
      work.log.error({ err: error, exchange: number }, 'An overdue exchange could not be ended.');
      failed.push(number);
      total.failed += 1;
    }
  }
}
