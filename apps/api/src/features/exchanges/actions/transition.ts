/**
 * The start and the end of every action on an exchange. `lockForAction` locks the row and checks the
 * version and the table of actions. `commitAction` writes row, event, audit entry and notice. Ledger
 * postings follow last, because all customers share the row of a reserve.
 */
import type { WorkQueue } from '@cambist/contract/desk';
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { Id } from '#kernel/id.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { notFound, versionConflict } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Session } from '#platform/security/sessions.ts';
import type { LedgerTransactionsTable } from '#platform/db/tables.generated.ts';
import { record } from '#features/audit/audit.ts';
import type { Entry, Posting } from '#features/ledger/ledger.ts';
import { proofsOf, type Proof } from '#features/proofs/proofs.ts';
import type { ExchangeContext } from '../context.ts';
import type { ActionName, ActionRow, Who } from '../action-table.ts';
import type { Facts } from '../guards.ts';
import type { Records } from '../records.ts';
import * as store from '../store/exchanges.ts';
import { lastOutcome, type Outcome } from '../store/reconciliation.ts';
import { findRecords } from '../store/records.ts';
import { refusalOf, rowOf, stateAfter } from '../workflow.ts';

export interface Customer {
  readonly who: 'customer';
  readonly actor: Actor;
}

export interface Operator {
  readonly who: 'operator';
  readonly actor: Actor;
  /** Null where no request caused the action. */
  readonly origin: Origin | null;
  /** For approvals that need a fresh confirmation; null where no request caused the action. */
  readonly session: Session | null;
}

export const system = { who: 'system' } as const;
export type ActingAs = Customer | Operator | typeof system;

/** The exchange in the version that the caller saw. */
export interface Seen {
  readonly number: string;
  readonly version: number;
}

/** A locked exchange on which the table allows the action. */
export interface Locked {
  readonly row: ActionRow;
  readonly exchange: store.Exchange;
  readonly proofs: readonly Proof[];
  readonly records: Records;
  readonly facts: Facts;
  /** Null unless an operator acts. */
  readonly ledger: Outcome | null;
  readonly by: ActingAs;
}

/** The exchange before and after the action. */
export interface Committed {
  readonly row: ActionRow;
  readonly before: store.Exchange;
  readonly exchange: store.Exchange;
  readonly proofs: readonly Proof[];
  readonly by: ActingAs;
  readonly reason: string | null;
  readonly now: Date;
  /** The cause of the ledger's postings. */
  readonly eventId: number;
}

export interface Change {
  /** Where the row leads to several states. */
  readonly state?: ExchangeState;
  readonly set?: store.ExchangeUpdate;
  readonly reason?: string;
  readonly data?: Record<string, unknown>;
}

const LATEST = ['approved', 'completed'];
export const latestAnswer = 'latest-exchanges';

/**
 * Uploads, notes and the system give no version.
 * @throws Refusal 404, for a customer also for another's exchange; 409 `version_conflict`; as the
 *   table of actions says
 */
export async function lockForAction(
  context: ExchangeContext,
  tx: Tx,
  by: ActingAs,
  action: ActionName,
  { number, version }: { number: string; version?: number },
): Promise<Locked> {
  const exchange = await store.lockExchange(tx, number);
  if (!exchange || !isVisibleTo(by, exchange)) throw notFound();
  if (version !== undefined && version !== exchange.version) throw versionConflict();
  // In one round trip; the time is read after the lock.
  const [proofs, records, now, ledger] = await Promise.all([
    proofsOf(tx, exchange.id),
    findRecords(tx, exchange.id),
    context.readTime(tx),
    by.who === 'operator' ? lastOutcome(tx) : null,
  ]);
  const actor = actorOf(by);
  const facts = factsOf(context, { exchange, records, proofCount: proofs.length, actor, now });
  const row = requireAllowed(action, by.who, facts);
  return { row, exchange, proofs, records, facts, ledger, by };
}

/** A second action by the same caller under the same lock. @throws Refusal as the table of actions says */
export async function continueWith(
  tx: Tx,
  locked: Locked,
  { exchange }: Committed,
  action: ActionName,
): Promise<Locked> {
  const records = await findRecords(tx, exchange.id);
  const facts = { ...locked.facts, exchange, records };
  return { ...locked, exchange, records, facts, row: requireAllowed(action, locked.by.who, facts) };
}

/** Another row of the same caller, such as the first of two approvals. @throws Refusal as it says */
export function asAction(locked: Locked, action: ActionName): Locked {
  return { ...locked, row: requireAllowed(action, locked.by.who, locked.facts) };
}

function requireAllowed(action: ActionName, who: Who, facts: Facts): ActionRow {
  const row = rowOf(action, who, facts.exchange.state);
  const refusal = refusalOf(row, facts);
  if (refusal) throw refusal;
  return row;
}

/**
 * Writes the row, the event and the audit entry of an operator; `finish` does the rest. Receipts, payouts and
 * refunds are written before, since their triggers write the sums of the row.
 */
export async function commitAction(
  tx: Tx,
  { row, exchange: before, proofs, facts, by }: Locked,
  { state: chosen, set, reason, data = {} }: Change = {},
): Promise<Committed> {
  const state = stateAfter(row, before.state, chosen);
  // In one round trip.
  const [exchange, { id: eventId }] = await Promise.all([
    store.updateExchange(tx, before, {
      ...set,
      ...(row.keepsVersion ? {} : { version: before.version + 1 }),
      ...(state === before.state ? {} : { state, state_changed_at: facts.now }),
    }),
    store.insertEvent(tx, {
      exchange_id: before.id,
      action: row.action,
      from_state: before.state,
      to_state: state,
      actor_kind: by.who,
      actor_id: idOf(by),
      reason: reason ?? null,
      data,
      at: facts.now,
    }),
    by.who === 'operator' &&
      record(tx, {
        actor: by.actor,
        origin: by.origin,
        action: `exchange.${row.action}`,
        subject_kind: 'exchange',
        subject_id: before.number,
        data: { from: before.state, to: state, ...data },
      }),
  ]);
  return { row, before, exchange, proofs, by, reason: reason ?? null, now: facts.now, eventId };
}

/** The work that an action made of an exchange; null where it did not. */
export function newQueueOf(
  action: string,
  before: Pick<store.Exchange, 'state' | 'claimed_by' | 'excess_minor'>,
  after: typeof before,
): WorkQueue | null {
  const waits = ({ state, claimed_by }: typeof before) =>
    state === 'payment_submitted' || (state === 'under_review' && claimed_by === null);
  if (waits(after)) return waits(before) ? null : 'to_review';
  if (after.state === 'approved' && before.state !== 'approved') return 'to_pay_out';
  const isRefund =
    (after.state === 'refund_pending' && before.state !== 'refund_pending') ||
    after.excess_minor > before.excess_minor ||
    action === 'return_refund';
  return isRefund ? 'to_refund' : null;
}

/** Notifies open pages of the exchange, and rebuilds the public list if it changes. */
export async function notifyFollowers(
  { notices, published }: ExchangeContext,
  tx: Tx,
  { number, version, state }: store.Exchange,
  work: { readonly queue: WorkQueue | null; readonly by: Id | null } = { queue: null, by: null },
): Promise<void> {
  await Promise.all([
    notices.notify(tx, 'exchange', { number, version, state, ...work }),
    LATEST.includes(state) && published.changed(tx, latestAnswer),
  ]);
}

export function factsOf(
  { undoMinutes }: Pick<ExchangeContext, 'undoMinutes'>,
  given: Pick<Facts, 'exchange' | 'records' | 'proofCount' | 'now'> & {
    readonly actor: Pick<Actor, 'id' | 'permissions'> | null;
  },
): Facts {
  const { actor, ...facts } = given;
  const permissions = actor?.permissions ?? [];
  return { ...facts, actorId: actor?.id ?? null, permissions, undoMinutes };
}

/**
 * A ledger transaction caused by the event or, with `cause`, by a record (`receipt:…`); each kind at
 * most once for its cause.
 */
export function posting(
  { exchange, by, now, eventId }: Committed,
  kind: LedgerTransactionsTable['kind'],
  entries: readonly Entry[],
  {
    cause = `event:${eventId}`,
    reference = null,
    reason = null,
  }: { cause?: string; reference?: string | null; reason?: string | null } = {},
): Posting {
  return {
    head: {
      kind,
      exchange_id: exchange.id,
      exchange_number: exchange.number,
      cause,
      reference,
      reason,
      actor_id: idOf(by),
      at: now,
    },
    entries,
  };
}

function isVisibleTo(by: ActingAs, exchange: store.Exchange): boolean {
  return by.who !== 'customer' || exchange.user_id === by.actor.id;
}

function actorOf(by: ActingAs): Actor | null {
  return by.who === 'system' ? null : by.actor;
}

export function idOf(by: ActingAs): Id | null {
  return actorOf(by)?.id ?? null;
}
