/**
 * One transition, the same for every action: lock the row, expect the version,
 * ask the table, write row and event, tell who listens. Ledger postings come
 * after it in the caller, as late as they can: their rows are shared by all.
 */
import type { Id } from '#kernel/id.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { notFound, versionConflict } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { LedgerTransactionsTable } from '#platform/tables.generated.ts';
import { record } from '#features/audit/audit.ts';
import type { Entry, Posting } from '#features/ledger/ledger.ts';
import { proofsOf, type Proof } from '#features/proofs/proofs.ts';
import type { Facts } from './guards.ts';
import * as store from './store.ts';
import {
  refusalOf,
  rowOf,
  stateAfter,
  type ActionName,
  type ActionRow,
  type Who,
} from './workflow.ts';

/** `moment` tells the time that deadlines are judged by: the database's, or another when a past is made. */
export interface Work extends Deps {
  readonly moment: (db: Db | Tx) => Promise<Date>;
  readonly undoMinutes: number;
  readonly claimMinutes: number;
  readonly maxOpenExchanges: number;
  /** The desk's, an IANA name, for the times in letters. */
  readonly timeZone: string;
}

/** Who acts, as the table knows them. `origin` goes into the audit log; null where no request caused it. */
export type Doer =
  | { readonly who: 'customer'; readonly actor: Actor }
  | { readonly who: 'operator'; readonly actor: Actor; readonly origin: Origin | null }
  | { readonly who: 'system' };

/** A locked exchange for which the action has been judged right. */
export interface Taken {
  readonly row: ActionRow;
  readonly exchange: store.Exchange;
  readonly proofs: readonly Proof[];
  readonly facts: Facts;
  readonly by: Doer;
}

/** The exchange as the action left it, and the event that was written. */
export interface Applied extends Taken {
  readonly eventId: number;
}

export interface Change {
  readonly set?: store.ExchangeUpdate;
  readonly reason?: string;
  readonly data?: Record<string, unknown>;
}

const LATEST = ['approved', 'completed'];
export const latestAnswer = 'latest-exchanges';

/**
 * Locks the exchange and judges the action. Without a `version` (uploads, the
 * system) any version will do.
 * @throws Refusal 404, for a customer also for another's exchange; 409
 *   `version_conflict`; what the table says
 */
export async function take(
  work: Work,
  tx: Tx,
  ask: { action: ActionName; by: Doer; number: string; version?: number },
): Promise<Taken> {
  const exchange = await store.lockExchange(tx, ask.number);
  if (!exchange || !mayKnow(ask.by, exchange)) throw notFound();
  if (ask.version !== undefined && ask.version !== exchange.version) throw versionConflict();
  const proofs = await proofsOf(tx, exchange.id);
  const facts = factsOf(work, exchange, proofs.length, idOf(ask.by), await work.moment(tx));
  const taken = { exchange, proofs, facts, by: ask.by };
  return { ...taken, row: judged(ask.action, ask.by.who, facts) };
}

/** The same person goes on with the same lock: a second action in one step. */
export function takeFurther(taken: Taken, exchange: store.Exchange, action: ActionName): Taken {
  const facts = { ...taken.facts, exchange };
  return { ...taken, exchange, facts, row: judged(action, taken.by.who, facts) };
}

function judged(action: ActionName, who: Who, facts: Facts): ActionRow {
  const row = rowOf(action, who, facts.exchange.state);
  const refusal = refusalOf(row, facts);
  if (refusal) throw refusal;
  return row;
}

/** Writes what the action changes: row, event, audit for operators, notices. */
export async function apply(
  work: Work,
  tx: Tx,
  taken: Taken,
  { set, reason, data = {} }: Change = {},
): Promise<Applied> {
  const { row, exchange, facts, by } = taken;
  const state = stateAfter(row, exchange.state);
  const moves = row.to !== 'same';
  const after = moves
    ? await store.updateExchange(tx, exchange, {
        ...set,
        state,
        version: exchange.version + 1,
        ...(state === exchange.state ? {} : { state_changed_at: facts.now }),
      })
    : set === undefined
      ? exchange
      : await store.updateExchange(tx, exchange, set);
  const eventId = await store.insertEvent(tx, {
    exchange_id: exchange.id,
    action: row.action,
    from_state: exchange.state,
    to_state: state,
    actor_kind: by.who,
    actor_id: idOf(by),
    reason: reason ?? null,
    data,
    at: facts.now,
  });
  if (by.who === 'operator') {
    await record(tx, {
      actor: by.actor,
      origin: by.origin,
      action: `exchange.${row.action}`,
      subject_kind: 'exchange',
      subject_id: exchange.number,
      data: { from: exchange.state, to: state, ...data },
    });
  }
  await announce(work, tx, after);
  return { ...taken, exchange: after, eventId };
}

/** Tells the customer's open page and the desk; the public list when it changes. */
export async function announce(work: Work, tx: Tx, exchange: store.Exchange): Promise<void> {
  const { number, user_id, version, state } = exchange;
  await work.notices.notify(tx, 'exchange', { number, user_id, version, state });
  if (LATEST.includes(state)) await work.published.changed(tx, latestAnswer);
}

export function factsOf(
  work: Pick<Work, 'undoMinutes'>,
  exchange: store.Exchange,
  proofCount: number,
  actorId: Id | null,
  now: Date,
): Facts {
  return { now, actorId, exchange, proofCount, undoMinutes: work.undoMinutes };
}

/** A ledger transaction of this exchange, caused by the event; each kind at most once for it. */
export function posting(
  { exchange, by, facts, eventId }: Pick<Applied, 'exchange' | 'by' | 'facts' | 'eventId'>,
  kind: LedgerTransactionsTable['kind'],
  entries: readonly Entry[],
  words: { reference?: string; reason?: string } = {},
): Posting {
  return {
    head: {
      kind,
      exchange_id: exchange.id,
      exchange_number: exchange.number,
      cause: `event:${eventId}`,
      reference: words.reference ?? null,
      reason: words.reason ?? null,
      actor_id: idOf(by),
      at: facts.now,
    },
    entries,
  };
}

function mayKnow(by: Doer, exchange: store.Exchange): boolean {
  return by.who !== 'customer' || exchange.user_id === by.actor.id;
}

export function idOf(by: Doer): Id | null {
  return by.who === 'system' ? null : by.actor.id;
}
