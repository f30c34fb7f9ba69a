/** SQL of reconciliations, and of the exchanges' part in the ledger. */
import type { Reconciliation } from '@cambist/contract/reserves';
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Misposted, OpenHold } from '#features/ledger/ledger.ts';

/** The task reconciles every ten minutes. */
const RECENT_MINUTES = 30;

/** Of the newest record; `unknown` without a recent one. */
export type Outcome = 'balanced' | 'unbalanced' | 'unknown';

/**
 * Whether the newest record of the whole ledger is balanced; null without one. What it found may be older
 * than the last checkpoint, so only another one of the whole ledger replaces it.
 */
const wholeBalanced = sql<boolean | null>`(
  select w.balanced from reconciliations w where w.scope = 'whole' order by w.id desc limit 1)`;

export async function isWholeUnbalanced(db: Db): Promise<boolean> {
  const { rows } = await sql<{ balanced: boolean | null }>`
    select ${wholeBalanced} as balanced`.execute(db);
  return rows[0]?.balanced === false;
}

export async function lastOutcome(db: Db | Tx): Promise<Outcome> {
  const last = await db
    .selectFrom('reconciliations')
    .select([
      sql<boolean>`balanced and ${wholeBalanced} is not false`.as('balanced'),
      sql<boolean>`at between now() - make_interval(mins => ${RECENT_MINUTES}) and clock_timestamp()`.as(
        'recent',
      ),
    ])
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (last === undefined || !last.recent) return 'unknown';
  return last.balanced ? 'balanced' : 'unbalanced';
}

export async function insertReconciliation(
  db: Db,
  { at, scope, balanced, differences }: Reconciliation,
): Promise<void> {
  await db
    .insertInto('reconciliations')
    .values({ at: new Date(at), scope, balanced, differences })
    .execute();
}

/** Keeps the newest and the newest of the whole ledger, which decide about approvals. */
export async function deleteOld(db: Db, keepDays: number): Promise<void> {
  await sql`
    delete from reconciliations
    where at < now() - make_interval(days => ${keepDays})
      and id < (select max(id) from reconciliations)
      and id is distinct from (select max(id) from reconciliations where scope = 'whole')`.execute(
    db,
  );
}

/**
 * The payouts held for open exchanges, and received money that is neither converted nor given back:
 * also the unpaid excess of an exchange that is completed. The conditions are those of their indexes.
 */
export async function listOpenHolds(tx: Tx): Promise<OpenHold[]> {
  const { rows } = await sql<OpenHold>`
    select receive_currency_id as currency_id, sum(payout_minor) as held,
      coalesce(sum(payout_minor) filter (where is_converted), 0) as owed
    from exchanges where ${holding}
    group by receive_currency_id
    union all
    select send_currency_id, sum(received_minor - refunded_minor - ${settled}),
      sum(received_minor - refunded_minor - ${settled})
    from exchanges where ${unsettled}
    group by send_currency_id`.execute(tx);
  return rows;
}

const holding = sql`state in (
  'awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved')`;
const settled = sql`case when is_converted then send_minor + tolerated_minor else 0 end`;
const unsettled = sql`received_minor > 0 and received_minor - refunded_minor <> ${settled}`;

/**
 * The first hundred exchanges whose entries differ from their figures, records and state: of all, or of
 * those `posted` and those in the ledger's held and owed amounts. The table of postings in
 * docs/decisions/0009 has each line.
 */
export async function listMisposted(
  tx: Tx,
  posted: readonly string[] | null,
): Promise<Misposted[]> {
  const ids = posted === null ? null : [...new Set([...posted, ...(await listHeldIds(tx))])];
  const among = (column: string) =>
    ids === null ? sql`true` : sql`${sql.ref(column)} = any(${ids}::uuid[])`;
  const { rows } = await sql<Misposted>`
    with expected as (
      select e.id as exchange_id, line.currency_id, line.kind, sum(line.amount) as amount
      from exchanges e
      left join (
        select exchange_id, sum(amount_minor) as paid, sum(charge_minor) as charges
        from exchange_refunds where state = 'paid' and ${among('exchange_id')} group by exchange_id
      ) f on f.exchange_id = e.id
      left join (
        select exchange_id, sum(charge_minor) as charges
        from exchange_payouts where ${among('exchange_id')} group by exchange_id
      ) o on o.exchange_id = e.id,
      lateral (select
        e.state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved') as holds,
        e.state = 'completed' as done,
        e.is_converted as converted,
        case when e.is_converted then e.send_minor + e.tolerated_minor else 0 end as settled,
        coalesce(f.charges, 0) as refund_charges,
        coalesce(o.charges, 0) as payout_charges,
        coalesce(e.mid_value_minor, e.payout_minor + e.receive_fee_minor) as mid_value) as s,
      lateral (values
        (e.receive_currency_id, 'held', case when s.holds then e.payout_minor end),
        (e.receive_currency_id, 'available', case when s.holds or s.done then -e.payout_minor end),
        (e.receive_currency_id, 'available', -s.payout_charges),
        (e.receive_currency_id, 'costs', s.payout_charges),
        (e.receive_currency_id, 'customer', case when s.converted and not s.done then -e.payout_minor end),
        (e.send_currency_id, 'held', e.received_minor - coalesce(f.paid, 0) - s.settled),
        (e.send_currency_id, 'customer', s.settled + coalesce(f.paid, 0) - e.received_minor),
        (e.send_currency_id, 'available', s.settled + s.refund_charges),
        (e.send_currency_id, 'fees', -s.refund_charges),
        (e.send_currency_id, 'fees', case when s.converted
          then -e.send_fee_minor - greatest(e.tolerated_minor, 0) end),
        (e.send_currency_id, 'costs', case when s.converted then greatest(-e.tolerated_minor, 0) end),
        (e.send_currency_id, 'position', case when s.converted then e.send_fee_minor - e.send_minor end),
        (e.receive_currency_id, 'position', case when s.converted then s.mid_value end),
        (e.receive_currency_id, 'fees', case when s.converted then -e.receive_fee_minor end),
        (e.receive_currency_id, 'spread',
          case when s.converted then e.payout_minor + e.receive_fee_minor - s.mid_value end)
      ) as line (currency_id, kind, amount)
      where line.amount <> 0 and ${among('e.id')}
      group by e.id, line.currency_id, line.kind
      having sum(line.amount) <> 0
    ), posted as (
      select t.exchange_id, n.currency_id, a.kind, sum(n.amount) as amount
      from ledger_transactions t
      join ledger_entries n on n.transaction_id = t.id
      join ledger_accounts a on a.id = n.account_id
      where t.exchange_id is not null and ${among('t.exchange_id')}
      group by t.exchange_id, n.currency_id, a.kind
      having sum(n.amount) <> 0
    ), differing as (
      select exchange_id, currency_id, kind, coalesce(expected.amount, 0::numeric) as expected,
        coalesce(posted.amount, 0::numeric) as found
      from expected full join posted using (exchange_id, currency_id, kind)
      where expected.amount is distinct from posted.amount
      limit 100
    )
    select coalesce(e.number, '?') as number, c.slug, c.decimals, d.kind as account, d.expected, d.found
    from differing d
    join currencies c on c.id = d.currency_id
    left join exchanges e on e.id = d.exchange_id`.execute(tx);
  return rows;
}

async function listHeldIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from exchanges where ${holding}
    union all
    select id from exchanges where ${unsettled}`.execute(tx);
  return rows.map(({ id }) => id);
}
