/** SQL of receipts, payouts, refunds, approvals, questions and messages. Their triggers sum them up. */
import { sql, type Insertable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import { violatedConstraint, type Db, type Tx } from '#platform/db/database.ts';
import type {
  ExchangeApprovalsTable,
  ExchangeMessagesTable,
  ExchangePayoutsTable,
  ExchangeQuestionsTable,
  ExchangeReceiptsTable,
  ExchangeRefundsTable,
} from '#platform/db/tables.generated.ts';
import type { Message, Records } from '../records.ts';

/** The records that actions ask for, in one round trip; amounts come as text, since JSON numbers would lose digits. */
export async function findRecords(db: Db | Tx, exchangeId: Id): Promise<Records> {
  const list = (table: string, extra: ReturnType<typeof sql>) => sql`(
    select coalesce(jsonb_agg(to_jsonb(t) || ${extra} order by t.at, t.id), '[]')
    from ${sql.table(table)} t where t.exchange_id = ${exchangeId})`;
  const nameOf = (column: string) =>
    sql`(select name from users where id = ${sql.ref(`t.${column}`)})`;
  const amounts = (column: string) => sql`jsonb_build_object(
    'send_minor', ${sql.ref(`t.${column}`)}->>'send_minor',
    'payout_minor', ${sql.ref(`t.${column}`)}->>'payout_minor',
    'rate', ${sql.ref(`t.${column}`)}->>'rate', 'rate_digits', ${sql.ref(`t.${column}`)}->'rate_digits')`;
  const { rows } = await sql<Record<keyof Records, Record<string, unknown>[]>>`select
    ${list('exchange_receipts', sql`jsonb_build_object('amount_minor', t.amount_minor::text, 'recorder', ${nameOf('recorded_by')})`)} as receipts,
    ${list('exchange_payouts', sql`jsonb_build_object('amount_minor', t.amount_minor::text, 'charge_minor', t.charge_minor::text)`)} as payouts,
    ${list('exchange_refunds', sql`jsonb_build_object('amount_minor', t.amount_minor::text, 'charge_minor', t.charge_minor::text)`)} as refunds,
    ${list('exchange_approvals', sql`jsonb_build_object('received_minor', t.received_minor::text, 'approver', ${nameOf('approved_by')})`)} as approvals,
    ${list('exchange_questions', sql`'{}'::jsonb`)} as questions,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'before', ${amounts('old_figures')}, 'after', ${amounts('new_figures')}, 'at', t.at)
        order by t.id), '[]')
      from exchange_recalculations t where t.exchange_id = ${exchangeId}) as recalculations`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The records of an exchange could not be read.');
  return {
    receipts: typed(row.receipts),
    payouts: typed(row.payouts),
    refunds: typed(row.refunds),
    approvals: typed(row.approvals),
    questions: typed(row.questions),
    recalculations: typed(row.recalculations),
  };
}

const TIMES = /^(at|until|answer_by|\w+_at)$/;

function typed<T>(rows: readonly Record<string, unknown>[]): T[] {
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => {
          if (value === null) return [key, null];
          if (key.endsWith('_minor')) return [key, BigInt(String(value))];
          if (TIMES.test(key)) return [key, new Date(String(value))];
          // PostgreSQL writes bytes as `\x` and hexadecimal digits.
          if (key === 'before' || key === 'after') return [key, typed([Object(value)])[0]];
          if (key === 'hash') return [key, Buffer.from(String(value).slice(2), 'hex')];
          return [key, value];
        }),
      ) as T,
  );
}

/** Whether a payment with this reference is recorded in the currency, or a payout with it left. */
export async function isReferenceUsed(
  tx: Tx,
  table: 'exchange_receipts' | 'exchange_payouts',
  currencyId: Id,
  reference: string,
): Promise<boolean> {
  const { rows } = await sql`select id from ${sql.table(table)}
    where currency_id = ${currencyId} and state in ('recorded', 'sent', 'returned')
      and reference_key(reference) = reference_key(${reference}) limit 1`.execute(tx);
  return rows.length > 0;
}

export function referenceUsed(field: 'reference' | 'payout_reference'): Refusal {
  const sentence =
    'This reference is recorded already. Say so if this is another one with the same reference.';
  return new Refusal(409, 'reference_used', sentence, { errors: { [field]: [sentence] } });
}

/**
 * Another operator may have recorded the same reference a moment ago. Of writes that are sent together each
 * may fail with that. @throws Refusal 409 `reference_used`, or the error
 */
export function orUsed(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'exchange_receipts_once') throw referenceUsed('reference');
  if (constraint === 'exchange_payouts_once') throw referenceUsed('payout_reference');
  throw error;
}

/** @throws Refusal 409 `reference_used` */
export async function insertReceipt(
  tx: Tx,
  receipt: Insertable<ExchangeReceiptsTable>,
): Promise<void> {
  await tx.insertInto('exchange_receipts').values(receipt).execute().catch(orUsed);
}

export const updateReceipt = (tx: Tx, id: Id, set: Updateable<ExchangeReceiptsTable>) =>
  tx.updateTable('exchange_receipts').set(set).where('id', '=', id).execute();

export const insertPayout = (tx: Tx, payout: Insertable<ExchangePayoutsTable>) =>
  tx.insertInto('exchange_payouts').values(payout).execute();

/** @throws Refusal 409 `reference_used` */
export async function updatePayout(
  tx: Tx,
  id: Id,
  set: Updateable<ExchangePayoutsTable>,
): Promise<void> {
  await tx.updateTable('exchange_payouts').set(set).where('id', '=', id).execute().catch(orUsed);
}

export const insertRefund = (tx: Tx, refund: Insertable<ExchangeRefundsTable>) =>
  tx.insertInto('exchange_refunds').values(refund).execute();

export const updateRefund = (tx: Tx, id: Id, set: Updateable<ExchangeRefundsTable>) =>
  tx.updateTable('exchange_refunds').set(set).where('id', '=', id).execute();

export const insertApproval = (tx: Tx, approval: Insertable<ExchangeApprovalsTable>) =>
  tx.insertInto('exchange_approvals').values(approval).execute();

export const insertQuestion = (tx: Tx, question: Insertable<ExchangeQuestionsTable>) =>
  tx.insertInto('exchange_questions').values(question).execute();

/** Ends the open question, if there is one. */
export async function endQuestion(
  tx: Tx,
  exchangeId: Id,
  set: { state: 'answered' | 'overdue' | 'withdrawn'; answer?: string | null; ended_at: Date },
): Promise<void> {
  await tx
    .updateTable('exchange_questions')
    .set(set)
    .where('exchange_id', '=', exchangeId)
    .where('state', '=', 'open')
    .execute();
}

/** Oldest first. */
export async function listMessages(db: Db | Tx, exchangeId: Id): Promise<Message[]> {
  return db
    .selectFrom('exchange_messages')
    .selectAll()
    .where('exchange_id', '=', exchangeId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

export async function countMessages(tx: Tx, exchangeId: Id, by: Message['by']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from exchange_messages where exchange_id = ${exchangeId} and by = ${by}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export const insertMessage = (tx: Tx, message: Insertable<ExchangeMessagesTable>) =>
  tx.insertInto('exchange_messages').values(message).execute();

/** The recalculation that the freezing trigger demands before the figures change. */
export async function insertRecalculation(
  tx: Tx,
  { exchangeId, figures, actorId }: { exchangeId: Id; figures: object; actorId: Id },
): Promise<void> {
  await sql`
    insert into exchange_recalculations (exchange_id, old_figures, new_figures, actor_id)
    select e.id, exchange_figures(e),
      exchange_figures(jsonb_populate_record(e, ${JSON.stringify(figures)}::text::jsonb)), ${actorId}
    from exchanges e where e.id = ${exchangeId}`.execute(tx);
}

/** Who has not read the newest message. */
export async function updateUnread(
  tx: Db | Tx,
  exchangeId: Id,
  set: { unread_by_customer?: boolean; unread_by_desk?: boolean },
): Promise<void> {
  await tx.updateTable('exchanges').set(set).where('id', '=', exchangeId).execute();
}

/** In minor units of its send currency. */
export interface Refunded {
  /** What left: without the charge. */
  refunded_minor: bigint;
  refund_charge_minor: bigint;
}

/** What was paid back of each exchange; nothing of most. */
export async function listRefunded(
  db: Db,
  exchanges: readonly { readonly id: Id }[],
): Promise<(id: Id) => Refunded> {
  const { rows } = await sql<Refunded & { id: Id }>`
    select exchange_id as id, sum(amount_minor - charge_minor) as refunded_minor,
      sum(charge_minor) as refund_charge_minor from exchange_refunds
    where state = 'paid' and exchange_id = any(${exchanges.map(({ id }) => id)}::uuid[])
    group by exchange_id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => found.get(id) ?? { refunded_minor: 0n, refund_charge_minor: 0n };
}
