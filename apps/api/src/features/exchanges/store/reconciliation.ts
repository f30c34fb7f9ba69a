/** SQL of reconciliations, and of the exchanges' part in the ledger. */
import type { Reconciliation } from '@cambist/contract/reserves';
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Misposted, OpenHold } from '#features/ledger/ledger.ts';

/** The task reconciles every ten minutes. */
const RECENT_MINUTES = 30;

/** The newest record; `unknown` without a recent one. */
export async function lastOutcome(db: Db | Tx): Promise<'balanced' | 'unbalanced' | 'unknown'> {
  const last = await db
    .selectFrom('reconciliations')
    .select([
      'balanced',
      sql<boolean>`at between now() - make_interval(mins => ${RECENT_MINUTES}) and clock_timestamp()`.as(
        'recent',
      ),
    ])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || !last.recent) return 'unknown';
  return last.balanced ? 'balanced' : 'unbalanced';
}

export async function insertReconciliation(
  db: Db,
  { at, balanced, differences }: Reconciliation,
): Promise<void> {
  await db
    .insertInto('reconciliations')
    .values({ at: new Date(at), balanced, differences })
    .execute();
}

/** Keeps the newest, which decides about approvals. */
export async function deleteOld(db: Db, keepDays: number): Promise<void> {
  await sql`
    delete from reconciliations
    where at < now() - make_interval(days => ${keepDays})
      and id < (select max(id) from reconciliations)`.execute(db);
}

/** The payouts held for open exchanges, and approved money of customers that is not converted yet. */
export async function listOpenHolds(tx: Tx): Promise<OpenHold[]> {
  const { rows } = await sql<OpenHold>`
    select receive_currency_id as currency_id, sum(payout_minor) as held, 0::numeric(1) as owed
    from exchanges
    where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved')
    group by receive_currency_id
    union all
    select send_currency_id, sum(received_minor), sum(received_minor)
    from exchanges where state = 'approved' and received_minor is not null
    group by send_currency_id`.execute(tx);
  return rows;
}

/**
 * The first hundred exchanges whose entries differ from their figures and state. The table of
 * postings in docs/decisions/0009 has each line.
 */
export async function listMisposted(tx: Tx): Promise<Misposted[]> {
  const { rows } = await sql<Misposted>`
    with expected as (
      select e.id as exchange_id, line.currency_id, line.kind, sum(line.amount) as amount
      from exchanges e,
      lateral (select
        e.state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved') as holds,
        e.state = 'completed' as done,
        case e.state when 'approved' then e.received_minor
          when 'completed' then e.received_minor - e.send_minor end as unconverted,
        coalesce(e.mid_value_minor, e.payout_minor + e.receive_fee_minor) as mid_value) as s,
      lateral (values
        (e.receive_currency_id, 'held', case when s.holds then e.payout_minor end),
        (e.receive_currency_id, 'available', case when s.holds or s.done then -e.payout_minor end),
        (e.send_currency_id, 'held', s.unconverted),
        (e.send_currency_id, 'customer', -s.unconverted),
        (e.send_currency_id, 'available', case when s.done then e.send_minor end),
        (e.send_currency_id, 'fees', case when s.done then -e.send_fee_minor end),
        (e.send_currency_id, 'position', case when s.done then e.send_fee_minor - e.send_minor end),
        (e.receive_currency_id, 'position', case when s.done then s.mid_value end),
        (e.receive_currency_id, 'fees', case when s.done then -e.receive_fee_minor end),
        (e.receive_currency_id, 'spread',
          case when s.done then e.payout_minor + e.receive_fee_minor - s.mid_value end)
      ) as line (currency_id, kind, amount)
      where line.amount <> 0
      group by e.id, line.currency_id, line.kind
    ), posted as (
      select t.exchange_id, n.currency_id, a.kind, sum(n.amount) as amount
      from ledger_transactions t
      join ledger_entries n on n.transaction_id = t.id
      join ledger_accounts a on a.id = n.account_id
      where t.exchange_id is not null
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
