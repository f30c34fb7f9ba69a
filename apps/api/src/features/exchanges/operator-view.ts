/** Pure: an exchange as operators see it, with warnings. */
import type { DeskExchange, DeskExchangeDetail, warningCodes } from '@cambist/contract/desk';
import { operatorActions } from '@cambist/contract/desk';
import { formatAmount } from '@cambist/money/amount';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { proofView, type Proof } from '#features/proofs/proofs.ts';
import { breakdownOf, displayRate } from '#features/pairs/price.ts';
import type { DeskRow, SameFile } from './store/lists.ts';
import { lines } from './customer-view.ts';
import type { Facts } from './guards.ts';
import type { Parts } from './parts.ts';
import { accountText, exceptionOf, sentPayout } from './records.ts';
import { messageView, wordsAt, deskRecordsView, sharedRecordsView } from './record-views.ts';
import { allowedTo } from './workflow.ts';

type Warning = (typeof warningCodes)[number];

const NEW_ACCOUNT_MS = 7 * DAY;

export function deskRowView(
  row: DeskRow,
  operatorId: Id,
  now: Date,
  toleranceMinor: bigint,
): DeskExchange {
  return {
    number: row.number,
    state: row.state,
    exception: exceptionOf(row, toleranceMinor),
    send: row.send,
    receive: row.receive,
    send_amount: formatAmount(row.send_minor, row.send.decimals),
    receive_amount: formatAmount(row.payout_minor, row.receive.decimals),
    rate: displayRate(row),
    customer: { id: row.user_id, name: row.customer_name },
    claim: claimOf(row, operatorId, now),
    proof_count: row.proof_count,
    warnings: warningsOf(row, operatorId),
    created_at: row.created_at.toISOString(),
    submitted_at: row.submitted_at?.toISOString() ?? null,
    state_changed_at: row.state_changed_at.toISOString(),
  };
}

function claimOf(row: DeskRow, operatorId: Id, now: Date): DeskExchange['claim'] {
  if (row.claimed_by === null || row.claimed_until === null || row.claimed_until <= now)
    return null;
  return {
    by: row.claimant ?? '',
    mine: row.claimed_by === operatorId,
    until: row.claimed_until.toISOString(),
  };
}

export function warningsOf(row: DeskRow, operatorId: Id): Warning[] {
  const age = row.created_at.getTime() - row.customer_since.getTime();
  const names = [...row.payout_fields, ...row.sender_fields].filter((line) => line.is_name);
  const found: Record<Warning, boolean> = {
    same_file: row.same_file,
    new_account: row.completed_count === 0 && age < NEW_ACCOUNT_MS,
    late: row.submitted_at !== null && row.submitted_at >= row.pay_by,
    name_differs: names.some(({ value }) => namesDiffer(value, row.customer_name)),
    own_exchange: row.user_id === operatorId,
    payout_changed: row.payout_changed_at !== null,
    unread_message: row.unread_by_desk,
    reference_used: row.reference_used,
    account_shared: row.account_shared,
    limits_near: row.limits_near,
  };
  return (Object.keys(found) as Warning[]).filter((code) => found[code]);
}

/** Ignores accents, joiners, order, case and a middle name that only one of them has. */
export function namesDiffer(one: string, other: string): boolean {
  const [short, long] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.size - b.size);
  return !short || !long || short.size === 0 || !short.isSubsetOf(long);
}

function partsOf(name: string): Set<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Join_Control}]/gu, '')
    .toLowerCase();
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== ''));
}

export interface DetailParts extends Parts {
  readonly row: DeskRow;
  readonly sameFiles: readonly SameFile[];
  readonly contact: DeskExchangeDetail['contact'];
  readonly availableMinor: bigint;
  readonly facts: Facts;
  readonly operatorId: Id;
  readonly toleranceMinor: bigint;
  readonly secondApproverAbove: bigint | null;
}

export function deskDetailView(parts: DetailParts): DeskExchangeDetail {
  const { row, customer, records, facts, operatorId, toleranceMinor, secondApproverAbove } = parts;
  const allowed = allowedTo('operator', facts);
  const received = (minor: bigint) => formatAmount(minor, row.receive.decimals);
  // As in the ledger, with the rounding of the payout step.
  const spread =
    row.mid_value_minor === null
      ? null
      : row.mid_value_minor - row.payout_minor - row.receive_fee_minor;
  return {
    ...deskRowView(row, operatorId, facts.now, toleranceMinor),
    pair: row.pair_slug,
    version: row.version,
    ...breakdownOf(row, row),
    spread: spread === null ? null : received(spread),
    reserve_left: received(parts.availableMinor),
    transfer_reference: row.transfer_reference,
    payment_reference: row.payment_reference,
    payout_reference: sentPayout(records)?.reference ?? null,
    ...sharedRecordsView(row, records, toleranceMinor),
    messages: parts.messages.map(messageView),
    ...deskRecordsView(row, records),
    contact: [...parts.contact],
    terms_version: row.terms_version,
    payout_history: row.payout_history.map(({ until, fields }) => ({
      account: accountText(fields),
      until,
    })),
    payout_waits_until: row.payout_waits_until?.toISOString() ?? null,
    needs_second_approval: secondApproverAbove !== null && row.send_minor > secondApproverAbove,
    rate_held_until: row.rate_held_until?.toISOString() ?? null,
    closed_reason: row.closed_reason,
    complete_on_approval: row.complete_on_approval,
    payee_label: row.payee.label,
    payout_fields: lines(row.payout_fields),
    sender_fields: lines(row.sender_fields),
    customer: {
      id: customer.id,
      name: customer.name,
      email: customer.email,
      since: customer.created_at.toISOString(),
      exchanges_completed: row.completed_count,
    },
    pay_by: row.pay_by.toISOString(),
    approved_at: row.approved_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    proofs: parts.proofs.map((proof) => deskProofView(proof, row, parts.sameFiles)),
    timeline: parts.events.map((event) => ({
      ...deskEventView(event, operatorId),
      reason: event.reason ?? wordsAt(records, event),
    })),
    allowed: operatorActions.filter((action) => allowed.includes(action)),
    server_time: facts.now.toISOString(),
  };
}

function deskProofView(proof: Proof, row: DeskRow, sameFiles: readonly SameFile[]) {
  return {
    ...proofView(proof),
    sha256: proof.sha256.toString('hex'),
    same_file: sameFiles
      .filter((other) => other.proof_id === proof.id)
      .map((other) => ({
        number: other.number,
        customer: other.customer,
        same_customer: other.user_id === row.user_id,
        uploaded_at: other.uploaded_at.toISOString(),
      })),
  };
}

function deskEventView(event: Parts['events'][number], operatorId: Id) {
  return {
    id: event.id,
    action: event.action,
    from_state: event.from_state,
    to_state: event.to_state,
    by: event.actor_kind,
    actor: event.actor,
    mine: event.actor_id === operatorId,
    at: event.at.toISOString(),
  };
}
