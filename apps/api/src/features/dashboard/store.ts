/** SQL of the daily figures, rolled up from events and the ledger. */
import type { DailyFigures } from '@cambist/contract/dashboard';
import type { ExchangeState } from '@cambist/contract/exchanges';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

const today = (zone: string) => sql`(now() at time zone ${zone})::date`;
const onDay = (column: string, day: string, zone: string) =>
  sql<boolean>`${sql.ref(column)} >= ${day}::date::timestamp at time zone ${zone}
    and ${sql.ref(column)} < (${day}::date + 1)::timestamp at time zone ${zone}`;

/** After an interruption also the days since. */
export async function listDaysToRollUp(db: Db, zone: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(d, 'YYYY-MM-DD') as day from generate_series(
      least(${today(zone)} - 2, coalesce((select max(day) - 2 from daily_figures),
        (select (min(at) at time zone ${zone})::date from exchange_events)))::timestamp,
      ${today(zone)}::timestamp, interval '1 day') d order by d`.execute(db);
  return rows.map(({ day }) => day);
}

const isIn = (column: string, states: readonly ExchangeState[]) =>
  sql`coalesce(${sql.ref(column)} = any(${[...states]}), false)`;
/** How many came into these states, less those that left them. */
const moved = (...states: ExchangeState[]): RawBuilder<number> =>
  sql`count(*) filter (where ${isIn('v.to_state', states)} and not ${isIn('v.from_state', states)})
    - count(*) filter (where ${isIn('v.from_state', states)} and not ${isIn('v.to_state', states)})`;
const created = sql`count(*) filter (where v.from_state is null)`;
/** Median and 90th percentile. */
const spread = (since: RawBuilder<unknown>) =>
  sql`percentile_disc(array[0.5, 0.9]) within group (order by extract(epoch from v.at - ${since}))::int[]`;

export async function upsertFigures(tx: Tx, day: string, zone: string): Promise<void> {
  await sql`insert into daily_figures as f
    with v as materialized (
      select * from exchange_events v where ${onDay('v.at', day, zone)} and from_state is distinct from to_state)
    select ${day}::date, n.*, a.seconds[1], a.seconds[2], p.seconds[1], p.seconds[2], now()
    from (select ${created}, ${created} - (${moved('awaiting_payment', 'cancelled', 'expired')}),
        ${moved('completed')}, ${moved('cancelled', 'expired')}, ${moved('rejected', 'refunded')} from v) n,
      (select ${spread(sql`e.submitted_at`)} as seconds
        from v join exchanges e on e.id = v.exchange_id
        where v.action = 'approve' and e.submitted_at <= v.at) a,
      (select ${spread(sql`b.at`)} as seconds
        from v cross join lateral (select max(b.at) as at from exchange_events b
          where b.exchange_id = v.exchange_id and b.id < v.id
            and b.to_state = 'approved' and b.from_state <> 'approved') b
        where v.to_state = 'completed' and b.at < v.at) p
    on conflict (day) do update set (created, paid, completed, unpaid, refused,
      approval_median, approval_p90, payout_median, payout_p90, rolled_up_at) = (
      excluded.created, excluded.paid, excluded.completed, excluded.unpaid, excluded.refused,
      excluded.approval_median, excluded.approval_p90, excluded.payout_median, excluded.payout_p90,
      excluded.rolled_up_at)`.execute(tx);
}

/** By currency; the ledger's credits are negative. */
export async function listMargins(tx: Tx, day: string, zone: string) {
  const { rows } = await sql<{ currency_id: Id; minor: bigint; unit: string; decimals: number }>`
    select c.id as currency_id, c.unit, c.decimals, -sum(n.amount) as minor
    from ledger_transactions t
      join ledger_entries n on n.transaction_id = t.id
      join ledger_accounts a on a.id = n.account_id
      join currencies c on c.id = n.currency_id
    where ${onDay('t.created_at', day, zone)} and a.kind in ('fees', 'spread', 'costs')
    group by c.id`.execute(tx);
  return rows;
}

interface Margin {
  readonly currency_id: Id;
  readonly minor: bigint;
  readonly unit: string | null;
  readonly value: string | null;
}

export async function replaceAmounts(
  tx: Tx,
  day: string,
  zone: string,
  margins: readonly Margin[],
): Promise<void> {
  await sql`delete from daily_amounts where day = ${day}`.execute(tx);
  for (const { currency_id, minor, unit, value } of margins)
    await sql`insert into daily_amounts values
      (${day}, 'margin', ${currency_id}, ${minor}, ${unit}, ${value})`.execute(tx);
  await sql`insert into daily_amounts
    select ${day}::date, 'volume', e.send_currency_id, sum(s.sign * e.send_minor),
      case when e.reporting_value is not null then e.reporting_unit end, sum(s.sign * e.reporting_value)
    from exchange_events v join exchanges e on e.id = v.exchange_id
      cross join lateral (select case when v.to_state = 'completed' then 1 else -1 end as sign) s
    where ${onDay('v.at', day, zone)} and (v.to_state = 'completed') <> coalesce(v.from_state = 'completed', false)
    group by 3, 5`.execute(tx);
}

export type FiguresRow = Omit<DailyFigures, 'volume' | 'margin'> & { rolled_up_at: Date };

export async function listFigures(db: Db, days: number, zone: string): Promise<FiguresRow[]> {
  const { rows } = await sql<FiguresRow>`
    select to_char(day, 'YYYY-MM-DD') as day, created, paid, completed, unpaid, refused,
      approval_median, approval_p90, payout_median, payout_p90, rolled_up_at
    from daily_figures where day > ${today(zone)} - ${days}::int order by day`.execute(db);
  return rows;
}

export interface DailyAmount {
  day: string;
  kind: 'volume' | 'margin';
  unit: string;
  decimals: number;
  send_minor: bigint;
  reporting_unit: string | null;
  value: string | null;
}

/** Named as `worth` wants them. */
export async function listAmounts(db: Db, days: number, zone: string): Promise<DailyAmount[]> {
  const { rows } = await sql<DailyAmount>`
    select to_char(d.day, 'YYYY-MM-DD') as day, d.kind, c.unit, c.decimals, d.minor as send_minor,
      d.reporting_unit, d.reporting_value::text as value
    from daily_amounts d join currencies c on c.id = d.currency_id
    where d.day > ${today(zone)} - ${days}::int`.execute(db);
  return rows;
}
