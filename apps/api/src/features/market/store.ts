/** What the market remembers: all SQL on `market_rates`. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { Doubt } from './awaited.ts';
import type { BelievedRate } from './cross.ts';

export async function listRates(db: Db | Tx): Promise<BelievedRate[]> {
  const rows = await db.selectFrom('market_rates').selectAll().orderBy('unit').execute();
  return rows.map(({ as_of, confirmed_at, fresh_until, ...row }) => ({
    ...row,
    asOf: as_of,
    confirmedAt: confirmed_at,
    freshUntil: fresh_until,
  }));
}

export async function databaseTime(db: Db | Tx): Promise<Date> {
  const { at } = await db.selectNoFrom(sql<Date>`now()`.as('at')).executeTakeFirstOrThrow();
  return at;
}

export async function upsertRates(tx: Tx, rates: readonly BelievedRate[]): Promise<void> {
  if (rates.length === 0) return;
  const rows = rates.map(({ unit, base, rate, inverted, provider, ...times }) => ({
    unit,
    base,
    rate,
    inverted,
    provider,
    as_of: times.asOf,
    confirmed_at: times.confirmedAt,
    fresh_until: times.freshUntil,
  }));
  await tx
    .insertInto('market_rates')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('unit').doUpdateSet((excluded) => ({
        base: excluded.ref('excluded.base'),
        rate: excluded.ref('excluded.rate'),
        inverted: excluded.ref('excluded.inverted'),
        provider: excluded.ref('excluded.provider'),
        as_of: excluded.ref('excluded.as_of'),
        confirmed_at: excluded.ref('excluded.confirmed_at'),
        fresh_until: excluded.ref('excluded.fresh_until'),
      })),
    )
    .execute();
}

export async function deleteRates(tx: Tx, units: readonly string[]): Promise<void> {
  if (units.length === 0) return;
  await tx.deleteFrom('market_rates').where('unit', 'in', units).execute();
}

/** One statement: every rate has just these marks afterwards. */
export async function updateAwaits(tx: Tx, doubts: readonly Doubt[]): Promise<void> {
  await sql`
    update market_rates as m set awaits = found.awaits
    from (
      select r.unit, coalesce(array_agg(g.awaited order by g.awaited)
        filter (where g.awaited is not null), '{}') as awaits
      from market_rates r
      left join jsonb_to_recordset(${JSON.stringify(doubts)}::text::jsonb) as g(
        unit text, awaited text) on g.unit = r.unit
      group by r.unit
    ) as found
    where found.unit = m.unit and m.awaits is distinct from found.awaits`.execute(tx);
}
