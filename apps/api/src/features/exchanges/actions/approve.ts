/**
 * An operator approves the payment; above a threshold a second operator approves the same. Where the
 * pair completes at approval, also the payout.
 */
import { createHash } from 'node:crypto';
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import type { approveExchange } from '@cambist/contract/desk-actions';
import { canonical } from '#kernel/canonical.ts';
import { DAY } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { requireFresh } from '#platform/http/guards.ts';
import { amountFor } from '#features/content/settings/settings.ts';
import { payoutRecalculated } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { firstApproval } from '../guards.ts';
import { requireBalancedLedger } from '../reconciliation.ts';
import type { Exchange } from '../store/exchanges.ts';
import * as store from '../store/records.ts';
import { unclaimed } from './claim.ts';
import { commitCompletion, payoutOf } from './complete.ts';
import { completes, decide, needsSecond, type Decision } from './decide.ts';
import { finishForOperator } from './finish.ts';
import { recalculate } from './recalculate.ts';
import { enterReceipt, moneyInOf, refundOf, refuseUsedReference } from './receipts.ts';
import type { InputOf } from './run.ts';
import {
  asAction,
  commitAction,
  continueWith,
  lockForAction,
  posting,
  type Locked,
  type Operator,
} from './transition.ts';

const FIRST_APPROVAL_MS = DAY;

type Input = InputOf<typeof approveExchange>;

/**
 * @throws Refusal 403 `confirmation_required`; 409 `amount_differs`, `rate_lapsed`,
 *   `approval_differs`, `reference_used`, `insufficient_reserve`; 422 on a field; 503
 *   `ledger_unbalanced`; as the table of actions says
 */
export async function approve(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version, ...input }: Input,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'approve', { number, version });
  requireBalancedLedger(locked);
  const decision = await decide(context, tx, locked, input);
  requireConfirmation(context, operator, locked.exchange, decision);
  const needsTwo = await needsSecond(context, tx, locked.exchange, decision.entered);
  checkPayoutReference(locked, needsTwo, input.payout_reference);
  const first = firstApproval(locked.facts);
  const isSecond = first !== null && first.approved_by !== operator.actor.id;
  const hash = hashOf(locked, input, decision);
  if (isSecond && !first.hash.equals(hash)) {
    throw new Refusal(
      409,
      'approval_differs',
      `${first.approver} approved something else. Both must approve the same; the first may approve again.`,
    );
  }
  const isFirst = !isSecond && needsTwo;
  const approval = {
    id: newId(),
    exchange_id: locked.exchange.id,
    approved_by: operator.actor.id,
    received_minor: decision.entered,
    difference: input.difference ?? null,
    reference: input.reference ?? null,
    hash,
    at: locked.facts.now,
    until: isFirst ? new Date(locked.facts.now.getTime() + FIRST_APPROVAL_MS) : null,
    first_id: isSecond ? first.id : null,
  };
  // Of the first too: the second could not say that it is another payment without approving something else.
  if (isFirst || decision.entered > 0n) await refuseUsedReference(tx, locked.exchange, input);
  if (isFirst) {
    await store.insertApproval(tx, approval);
    const waiting = await commitAction(tx, asAction(locked, 'first_approve'), {
      set: unclaimed,
      data: { received_minor: String(decision.entered) },
    });
    return finishForOperator(context, tx, operator, waiting);
  }
  const firstBy = isSecond ? first.approved_by : null;
  return commitApproval(context, tx, locked, operator, { input, decision, approval, firstBy });
}

interface Approved {
  readonly input: Omit<Input, 'number' | 'version'>;
  readonly decision: Decision;
  readonly approval: Parameters<typeof store.insertApproval>[1];
  readonly firstBy: string | null;
}

async function commitApproval(
  context: ExchangeContext,
  tx: Tx,
  locked: Locked,
  operator: Operator,
  { input, decision, approval, firstBy }: Approved,
): Promise<{ data: DeskExchangeDetail }> {
  const { exchange, facts } = locked;
  const { entered, figures, excess, tolerated } = decision;
  const changed = figures === null ? {} : await recalculate(tx, locked, figures);
  // In one round trip; the trigger of the refund needs the receipt.
  const [receipt] = await Promise.all([
    entered > 0n ? enterReceipt(tx, locked, { ...input, amount: entered }) : null,
    store.insertApproval(tx, approval),
    store.insertPayout(tx, payoutOf({ ...exchange, ...changed }, facts.now)),
    excess > 0n &&
      store.insertRefund(tx, { ...refundOf(exchange, excess, facts.now), kind: 'excess' }),
  ]).catch(store.orUsed);
  const approved = await commitAction(tx, locked, {
    set: {
      ...changed,
      ...unclaimed,
      approved_by: operator.actor.id,
      first_approved_by: firstBy,
      approved_at: facts.now,
    },
    data: {
      received_minor: String(entered),
      ...(input.difference && { difference: input.difference }),
      ...(excess > 0n && { excess_minor: String(excess) }),
      ...(tolerated !== 0n && { tolerated_minor: String(tolerated) }),
    },
  });
  const postings = [
    ...(receipt ? [moneyInOf(approved, receipt)] : []),
    posting(
      approved,
      'recalculation',
      payoutRecalculated(exchange, approved.exchange.payout_minor),
    ),
  ];
  if (input.payout_reference === undefined) {
    return finishForOperator(context, tx, operator, approved, postings);
  }
  const { payout_reference, another_payout } = input;
  const sent = { payout_reference, ...(another_payout && { another_payout }) };
  const toComplete = await continueWith(tx, locked, approved, 'complete');
  const { completed, postings: more } = await commitCompletion(tx, toComplete, sent);
  // One email and one notice for both actions.
  const both = { ...completed, before: exchange };
  return finishForOperator(context, tx, operator, both, [...postings, ...more]);
}

function requireConfirmation(
  { freshApprovalAbove, clock }: ExchangeContext,
  { session }: Operator,
  { send, send_minor, received_minor }: Exchange,
  { entered }: Decision,
): void {
  const threshold = amountFor(freshApprovalAbove, send);
  const isAbove = (amount: bigint) => threshold !== null && amount > threshold;
  if (isAbove(send_minor) || isAbove(received_minor + entered)) requireFresh(session, clock());
}

/** What both operators must approve alike: figures, receipts, body and payout account. */
function hashOf(
  { exchange, records }: Locked,
  {
    another_payment: _payment,
    another_payout: _payout,
    ...body
  }: Omit<Input, 'number' | 'version'>,
  { entered, figures }: Decision,
): Buffer {
  const { send_minor, rate, payout_minor, fee_terms, payout_fields } = exchange;
  const receipts = records.receipts
    .filter(({ state }) => state === 'recorded')
    .map(({ id, amount_minor }) => [id, amount_minor]);
  const approved = {
    figures: { send_minor, rate, payout_minor, fee_terms },
    // Without the mid rate: a run of the rates that changes none of these is no other approval.
    after: figures && [figures.send_minor, figures.rate, figures.payout_minor],
    receipts,
    body: { ...body, received_amount: entered },
    payout_fields,
  };
  return createHash('sha256').update(canonical(approved)).digest();
}

/** No money leaves on the word of the first of two, nor to a changed account before its time. */
function checkPayoutReference(
  { exchange, facts }: Locked,
  needsTwo: boolean,
  reference: string | undefined,
): void {
  if (completes(exchange, needsTwo, facts.now)) {
    if (reference !== undefined) return;
    throw invalid({ payout_reference: 'The payout reference field is required.' });
  }
  // While the payout waits, the completion refuses it.
  if (reference === undefined || (exchange.complete_on_approval && !needsTwo)) return;
  const sentence = needsTwo
    ? 'Two operators approve this exchange first; it is paid out after that.'
    : 'The payout reference belongs to the completion of this exchange.';
  throw invalid({ payout_reference: sentence });
}
