/** SQL of the flow: the mid rates of all pairs that follow the market, in a few statements. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';

/** A pair whose mid rate is not an admin's own. */
export interface Follower {
  readonly id: string;
  readonly formula: string | null;
  readonly from: string;
  readonly to: string;
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

export async function listUnits(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('currencies')
    .select('unit')
    .distinct()
    .orderBy('unit')
    .execute();
  return rows.map(({ unit }) => unit);
}

/** Times as ISO 8601, the rate as a decimal. */
export interface MidRate {
  readonly id: string;
  readonly rate: string;
  readonly source: string;
  readonly as_of: string;
  readonly confirmed_at: string;
  readonly fresh_until: string;
}

/**
 * One statement, whatever their number: writes the mid rates, and into the history those that are
 * new. The version is the editor's and stays.
 */
export async function updateMids(tx: Tx, mids: readonly MidRate[]): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(mids)}::text::jsonb) as g(
        id uuid, rate numeric, source text, as_of timestamptz,
        confirmed_at timestamptz, fresh_until timestamptz)
    ), before as (
      select p.id, p.mid_rate, p.mid_as_of from pairs p join given g on g.id = p.id
      where p.rate_mode <> 'manual' order by p.id for no key update of p
    ), written as (
      update pairs p set
        mid_rate = g.rate, mid_source = g.source, mid_as_of = g.as_of,
        mid_confirmed_at = g.confirmed_at, mid_fresh_until = g.fresh_until
      from given g join before b on b.id = g.id
      where p.id = g.id
      returning p.id)
    insert into pair_rates (pair_id, mid_rate, source, as_of)
    select g.id, g.rate, g.source, g.as_of
    from given g join written w on w.id = g.id join before b on b.id = g.id
    where (b.mid_rate, b.mid_as_of) is distinct from (g.rate, g.as_of)`.execute(tx);
}
