/** SQL of the flow: the mid rates of all pairs that follow the market, in a few statements. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Followed, Mid } from './mid.ts';

/** A pair whose mid rate is not an admin's own. */
export interface Follower extends Followed {
  readonly id: string;
}

export async function listFollowers(db: Db | Tx): Promise<Follower[]> {
  return db
    .selectFrom('pairs as p')
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .select(['p.id', 'p.formula', 's.unit as from', 'r.unit as to'])
    .where('p.rate_mode', '<>', 'manual')
    .orderBy('p.id')
    .execute();
}

interface LastMid {
  readonly from: string;
  readonly to: string;
  /** Units of `to` for one of `from`. */
  readonly rate: string;
  readonly at: Date;
}

/**
 * The last mid rate of each pair on offer: the market's of seven days, or one that was set by hand,
 * which holds until another comes. Formulas are no market.
 */
export async function lastMids(db: Db | Tx): Promise<LastMid[]> {
  const { rows } = await sql<LastMid>`
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
 * Until the transaction ends nobody else makes a pair follow the market or cease
 * to, and no rates flow. Taken before any pair is locked, so that nobody waits in
 * a circle.
 */
export async function lockFlow(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('flow of rates', 0))`.execute(tx);
}

export interface NewMid extends Mid {
  readonly id: string;
}

/**
 * One statement, whatever their number: writes the mid rates, and into the history those that are
 * new. The version is the editor's and stays.
 */
export async function updateMids(tx: Tx, mids: readonly NewMid[]): Promise<void> {
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

/** For pairs without a market rate: no open question concerns them. */
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
