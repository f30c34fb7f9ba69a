/** SQL of the mid rates of all pairs that follow the market. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { MidRate, RateSource } from './mid-rate.ts';

/** The pairs that are not manual. */
export async function listMarketPairs(
  db: Db | Tx,
): Promise<(RateSource & { readonly id: string })[]> {
  return db
    .selectFrom('pairs as p')
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .select(['p.id', 'p.formula', 's.unit as from', 'r.unit as to'])
    .where('p.rate_mode', '<>', 'manual')
    .orderBy('p.id')
    .execute();
}

interface LastMidRate {
  readonly from: string;
  readonly to: string;
  /** Units of `to` for one of `from`. */
  readonly rate: string;
  readonly at: Date;
}

/**
 * The last mid rate of each active pair without a formula: a market rate of the last seven days, or
 * a manual rate of any age.
 */
export async function lastMidRates(db: Db | Tx): Promise<LastMidRate[]> {
  const { rows } = await sql<LastMidRate>`
    select s.unit as "from", r.unit as "to", last.mid_rate::text as rate, last.in_force_from as at
    from pairs p
    join currencies s on s.id = p.send_currency_id
    join currencies r on r.id = p.receive_currency_id
    cross join lateral (
      select mid_rate, source, in_force_from from pair_rates
      where pair_id = p.id
      order by in_force_from desc, id desc limit 1) as last
    where p.active and p.formula is null and s.unit <> r.unit
      and (last.source = 'manual' or last.in_force_from > now() - interval '7 days')
    order by p.id`.execute(db);
  return rows;
}

export interface UnitRate {
  readonly from: string;
  readonly to: string;
  /** Units of `to` for one of `from`. */
  readonly mid_rate: string;
}

/** A mid rate between each two units that an active pair connects: the one confirmed last. */
export async function listUnitRates(db: Db | Tx): Promise<UnitRate[]> {
  const { rows } = await sql<UnitRate>`
    select distinct on (s.unit, r.unit) s.unit as "from", r.unit as "to", p.mid_rate::text
    from pairs p
    join currencies s on s.id = p.send_currency_id
    join currencies r on r.id = p.receive_currency_id
    where p.active and p.mid_rate is not null and s.unit <> r.unit
    order by s.unit, r.unit, coalesce(p.mid_confirmed_at, p.mid_as_of) desc, p.id`.execute(db);
  return rows;
}

export async function listUnits(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('currencies')
    .select('unit')
    .distinct()
    .orderBy('unit')
    .execute();
  return rows.map(({ unit }) => unit);
}

/**
 * Until the transaction ends no other one changes a mid rate or a rate mode. Taken before any pair
 * is locked, so that there is no deadlock.
 */
export async function lockMidRates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mid rates', 0))`.execute(tx);
}

/** Writes the mid rates, and the new ones to the history. Versions do not change. */
export async function updateMidRates(
  tx: Tx,
  mids: readonly (MidRate & { readonly id: string })[],
): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(mids)}::text::jsonb) as g(
        id uuid, mid_rate numeric, mid_source text, mid_as_of timestamptz,
        mid_confirmed_at timestamptz, mid_fresh_until timestamptz, mid_awaits text[])
    ), before as (
      select p.id, p.mid_rate, p.mid_as_of from pairs p join given g on g.id = p.id
      where p.rate_mode <> 'manual' order by p.id for no key update of p
    ), written as (
      update pairs p set
        mid_rate = g.mid_rate, mid_source = g.mid_source, mid_as_of = g.mid_as_of,
        mid_confirmed_at = g.mid_confirmed_at, mid_fresh_until = g.mid_fresh_until,
        mid_awaits = g.mid_awaits
      from given g join before b on b.id = g.id
      where p.id = g.id
      returning p.id)
    insert into pair_rates (pair_id, mid_rate, source, as_of)
    select g.id, g.mid_rate, g.mid_source, g.mid_as_of
    from given g join written w on w.id = g.id join before b on b.id = g.id
    where (b.mid_rate, b.mid_as_of) is distinct from (g.mid_rate, g.mid_as_of)`.execute(tx);
}

/** For pairs without a market rate: no quarantined rate concerns them. */
export async function clearAwaits(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('pairs')
    .set({ mid_awaits: sql`'{}'` })
    .where('id', 'in', ids)
    .where('rate_mode', '<>', 'manual')
    .where(sql<boolean>`mid_awaits <> '{}'`)
    .execute();
}
