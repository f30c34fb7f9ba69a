/**
 * The operators' actions, within the caller's transaction. What they post to
 * the ledger is handed back, to be posted last.
 */
import type { Actor, Origin } from '#kernel/actor.ts';
import { readAmount } from '#kernel/amount-field.ts';
import { MINUTE } from '#kernel/clock.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/database.ts';
import {
  conversion,
  moneyIn,
  payOut,
  release as releaseHold,
  type Posting,
} from '#features/ledger/ledger.ts';
import { withUnit } from '#features/pairs/pairs.ts';
import type { Outcome, Seen } from './customer-actions.ts';
import { claimIsLive } from './guards.ts';
import { refuseUnbalancedLedger, requireBalancedLedger } from './reconciliation.ts';
import * as store from './store.ts';
import { apply, idOf, posting, take, takeFurther, type Taken, type Work } from './transition.ts';

/** An operator at work: who, and from where. */
export interface Operator {
  readonly actor: Actor;
  /** Null where no request caused it. */
  readonly origin: Origin | null;
}

const unclaimed = { claimed_by: null, claimed_until: null } as const;

function doer({ actor, origin }: Operator) {
  return { who: 'operator', actor, origin } as const;
}

/**
 * Takes the exchange for review or for paying it out, takes over a lapsed claim, or renews
 * one's own, which is no event. Nothing is claimed for payout that could not be completed: the
 * money leaves before its reference is entered.
 * @throws Refusal 503 `ledger_unbalanced`
 */
export async function claim(work: Work, tx: Tx, operator: Operator, seen: Seen): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'claim', by: doer(operator), ...seen });
  const { exchange: before, facts } = taken;
  if (before.state === 'approved') await refuseUnbalancedLedger(tx);
  const set = {
    claimed_by: operator.actor.id,
    claimed_until: new Date(facts.now.getTime() + work.claimMinutes * MINUTE),
  };
  // Before a payout it is told since when it is whose: one that lapsed begins anew.
  const lapsed = before.state === 'approved' && !claimIsLive(facts);
  if (before.claimed_by === operator.actor.id && !lapsed) {
    return { taken, exchange: await store.updateExchange(tx, before, set), postings: [] };
  }
  const { exchange } = await apply(work, tx, taken, {
    set,
    data:
      before.claimed_by === null || before.claimed_by === operator.actor.id
        ? {}
        : { taken_over_from: before.claimed_by },
  });
  return { taken, exchange, postings: [] };
}

export async function release(
  work: Work,
  tx: Tx,
  operator: Operator,
  seen: Seen,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'release', by: doer(operator), ...seen });
  const { exchange } = await apply(work, tx, taken, { set: unclaimed });
  return { taken, exchange, postings: [] };
}

export interface ApprovalWords {
  /** In major units. */
  readonly received_amount: string;
  readonly payout_reference?: string;
}

/**
 * The money has arrived: it is posted. Where the pair completes at approval,
 * the payout is posted in the same step.
 * @throws Refusal 409 `amount_differs`, 503 `ledger_unbalanced`, 422 on a field, and what
 *   `checkLarge` throws: 403 `confirmation_required`
 */
export async function approve(
  work: Work,
  tx: Tx,
  operator: Operator,
  seen: Seen,
  words: ApprovalWords,
  checkLarge: (exchange: store.Exchange) => void,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'approve', by: doer(operator), ...seen });
  checkLarge(taken.exchange);
  await requireBalancedLedger(tx);
  const received = checkReceived(taken.exchange, words.received_amount);
  checkPayoutReference(taken.exchange, words.payout_reference);
  const { now } = taken.facts;
  const approved = await apply(work, tx, taken, {
    set: { ...unclaimed, received_minor: received, approved_by: idOf(taken.by), approved_at: now },
    data: { received_minor: String(received) },
  });
  const { exchange } = approved;
  const postings = [posting(approved, 'money_in', moneyIn(exchange, received))];
  if (words.payout_reference === undefined) return { taken, exchange, postings };
  const further = takeFurther(taken, exchange, 'complete');
  const completed = await completeTaken(work, tx, further, words.payout_reference);
  return { ...completed, postings: [...postings, ...completed.postings] };
}

/** Any difference is decided by a person: recalculated, refunded or asked for. None of that is guessed here. */
function checkReceived(exchange: store.Exchange, text: string): bigint {
  const received = readAmount('received_amount', text, exchange.send.decimals);
  if (received === exchange.send_minor) return received;
  const expected = withUnit(exchange.send_minor, exchange.send);
  throw new Refusal(
    409,
    'amount_differs',
    `The customer was to send ${expected}, and ${withUnit(received, exchange.send)} is entered. Only the exact amount can be approved.`,
  );
}

function checkPayoutReference(
  { complete_on_approval }: store.Exchange,
  reference: string | undefined,
): void {
  if (complete_on_approval && reference === undefined) {
    throw invalid({ payout_reference: 'The payout reference field is required.' });
  }
  if (!complete_on_approval && reference !== undefined) {
    throw invalid({
      payout_reference: 'The payout reference is given when this exchange is completed.',
    });
  }
}

export async function reject(
  work: Work,
  tx: Tx,
  operator: Operator,
  seen: Seen,
  reason: string,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'reject', by: doer(operator), ...seen });
  const rejected = await apply(work, tx, taken, {
    set: { ...unclaimed, closed_reason: reason },
    reason,
  });
  const { exchange } = rejected;
  return {
    taken,
    exchange,
    postings: [posting(rejected, 'release', releaseHold(exchange), { reason })],
  };
}

/** @throws Refusal 503 `ledger_unbalanced` */
export async function complete(
  work: Work,
  tx: Tx,
  operator: Operator,
  seen: Seen,
  payoutReference: string,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'complete', by: doer(operator), ...seen });
  await requireBalancedLedger(tx);
  return completeTaken(work, tx, taken, payoutReference);
}

async function completeTaken(
  work: Work,
  tx: Tx,
  taken: Taken,
  reference: string,
): Promise<Outcome> {
  const completed = await apply(work, tx, taken, {
    set: { ...unclaimed, payout_reference: reference, completed_at: taken.facts.now },
    data: { payout_reference: reference },
  });
  const { exchange } = completed;
  const postings: Posting[] = [
    posting(completed, 'conversion', conversion(exchange)),
    posting(completed, 'payout', payOut(exchange), { reference }),
  ];
  return { taken, exchange, postings };
}

export async function note(
  work: Work,
  tx: Tx,
  operator: Operator,
  number: string,
  text: string,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'note', by: doer(operator), number });
  const { exchange } = await apply(work, tx, taken, { reason: text });
  return { taken, exchange, postings: [] };
}
