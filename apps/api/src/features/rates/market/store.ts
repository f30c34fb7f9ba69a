/** SQL on `market_rates`, `market_past` and `market_newest`. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { AcceptedRate, NewestTime } from './cross.ts';

export async function listRates(db: Db | Tx): Promise<AcceptedRate[]> {
  const rows = await db.selectFrom('market_rates').selectAll().orderBy('unit').execute();
  return rows.map(({ as_of, confirmed_at, fresh_until, ...row }) => ({
    ...row,
    asOf: as_of,
    confirmedAt: confirmed_at,
    freshUntil: fresh_until,
  }));
}

export async function upsertRates(tx: Tx, rates: readonly AcceptedRate[]): Promise<void> {
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

/** For each unit the rate in force at `time`, or the first one after it. */
export async function listPast(db: Db | Tx, time: Date): Promise<AcceptedRate[]> {
  const rows = await db
    .selectFrom('market_past')
    .selectAll()
    .distinctOn('unit')
    .orderBy('unit')
    .orderBy(sql`accepted_at > ${time}`)
    .orderBy(sql`abs(extract(epoch from accepted_at - ${time}::timestamptz))`)
    .execute();
  return rows.map(({ accepted_at: at, ...row }) => ({
    ...row,
    provider: '',
    asOf: at,
    confirmedAt: at,
    freshUntil: at,
  }));
}

/** Appends changed rates, and deletes those older than two days. */
export async function appendPast(tx: Tx, rates: readonly AcceptedRate[]): Promise<void> {
  if (rates.length === 0) return;
  const units = rates.map(({ unit }) => unit);
  await sql`
    insert into market_past (unit, accepted_at, base, rate, inverted)
    select now.unit, now.confirmed_at, now.base, now.rate, now.inverted
    from market_rates now
    left join lateral (
      select * from market_past past where past.unit = now.unit order by accepted_at desc limit 1
    ) last on true
    where now.unit = any(${units})
      and (last.unit is null
        or (last.accepted_at < now.confirmed_at
          and (last.base, last.rate, last.inverted) is distinct from (now.base, now.rate, now.inverted)))
  `.execute(tx);
  await sql`
    delete from market_past old
    where old.unit = any(${units}) and exists (
      select from market_past newer
      where newer.unit = old.unit and newer.accepted_at > old.accepted_at
        and newer.accepted_at <= (select max(accepted_at) from market_past) - interval '49 hours')
  `.execute(tx);
}

/** The newest time of each provider and unit; older rates are rejected. */
export async function listNewest(db: Db | Tx): Promise<NewestTime[]> {
  const rows = await db.selectFrom('market_newest').selectAll().execute();
  return rows.map(({ as_of, ...row }) => ({ ...row, asOf: as_of }));
}

/** One row per provider and unit, whose time never decreases. */
export async function upsertNewest(tx: Tx, rates: readonly NewestTime[]): Promise<void> {
  if (rates.length === 0) return;
  await tx
    .insertInto('market_newest')
    .values(rates.map(({ provider, unit, asOf }) => ({ provider, unit, as_of: asOf })))
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'unit'])
        .doUpdateSet((excluded) => ({ as_of: excluded.ref('excluded.as_of') }))
        .whereRef('market_newest.as_of', '<', 'excluded.as_of'),
    )
    .execute();
}

/** After an admin accepts a large move, so that later moves are measured from the accepted rate. */
export async function deletePast(tx: Tx, units: readonly string[]): Promise<void> {
  await tx.deleteFrom('market_past').where('unit', 'in', units).execute();
}

export async function deleteRates(tx: Tx, units: readonly string[]): Promise<void> {
  if (units.length === 0) return;
  await tx.deleteFrom('market_rates').where('unit', 'in', units).execute();
}

/** The rate of `unit` is on the path to the questioned unit `awaits`. */
export interface Hold {
  readonly unit: string;
  readonly awaits: string;
}

/** Replaces all marks. */
export async function updateAwaits(tx: Tx, holds: readonly Hold[]): Promise<void> {
  await sql`
    update market_rates as m set awaits = found.awaits
    from (
      select r.unit, coalesce(array_agg(h.awaits order by h.awaits)
        filter (where h.awaits is not null), '{}') as awaits
      from market_rates r
      left join jsonb_to_recordset(${JSON.stringify(holds)}::text::jsonb) as h(
        unit text, awaits text) on h.unit = r.unit
      group by r.unit
    ) as found
    where found.unit = m.unit and m.awaits is distinct from found.awaits`.execute(tx);
}
