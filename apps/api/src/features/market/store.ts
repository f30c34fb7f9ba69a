/** What the market remembers: all SQL on `market_rates`, `market_past`, `market_newest` and `market_questions`. */
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { Doubt } from './awaited.ts';
import type { BelievedRate, OwnTime, Question } from './cross.ts';

export async function listRates(db: Db | Tx): Promise<BelievedRate[]> {
  const rows = await db.selectFrom('market_rates').selectAll().orderBy('unit').execute();
  return rows.map(({ as_of, confirmed_at, fresh_until, ...row }) => ({
    ...row,
    asOf: as_of,
    confirmedAt: confirmed_at,
    freshUntil: fresh_until,
  }));
}

/** Every jump that waits for a yes or no. */
export async function listQuestions(db: Db | Tx): Promise<Question[]> {
  return db.selectFrom('market_questions').selectAll().orderBy('unit').execute();
}

/** These are all there are from here on. */
export async function replaceQuestions(tx: Tx, questions: readonly Question[]): Promise<void> {
  await tx.deleteFrom('market_questions').execute();
  if (questions.length === 0) return;
  const rows = questions.map(({ unit, base }) => ({ unit, base }));
  await tx.insertInto('market_questions').values(rows).execute();
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

/** Of each unit the one that was in force at `time`, else the first one since. */
export async function listPast(db: Db | Tx, time: Date): Promise<BelievedRate[]> {
  const rows = await db
    .selectFrom('market_past')
    .selectAll()
    .distinctOn('unit')
    .orderBy('unit')
    .orderBy(sql`believed_at > ${time}`)
    .orderBy(sql`abs(extract(epoch from believed_at - ${time}::timestamptz))`)
    .execute();
  return rows.map(({ believed_at: at, ...row }) => ({
    ...row,
    provider: '',
    asOf: at,
    confirmedAt: at,
    freshUntil: at,
  }));
}

/** Keeps those that are other ones than the last of their unit, and what two days ago need of the rest. */
export async function keepPast(tx: Tx, rates: readonly BelievedRate[]): Promise<void> {
  if (rates.length === 0) return;
  const units = rates.map(({ unit }) => unit);
  await sql`
    insert into market_past (unit, believed_at, base, rate, inverted)
    select now.unit, now.confirmed_at, now.base, now.rate, now.inverted
    from market_rates now
    left join lateral (
      select * from market_past past where past.unit = now.unit order by believed_at desc limit 1
    ) last on true
    where now.unit = any(${units})
      and (last.unit is null
        or (last.believed_at < now.confirmed_at
          and (last.base, last.rate, last.inverted) is distinct from (now.base, now.rate, now.inverted)))
  `.execute(tx);
  await sql`
    delete from market_past old
    where old.unit = any(${units}) and exists (
      select from market_past newer
      where newer.unit = old.unit and newer.believed_at > old.believed_at
        and newer.believed_at <= (select max(believed_at) from market_past) - interval '49 hours')
  `.execute(tx);
}

export async function listNewest(db: Db | Tx): Promise<OwnTime[]> {
  const rows = await db.selectFrom('market_newest').selectAll().execute();
  return rows.map(({ as_of, ...row }) => ({ ...row, asOf: as_of }));
}

/** One row of a provider and unit, which only moves on. */
export async function keepNewest(tx: Tx, rates: readonly OwnTime[]): Promise<void> {
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

export async function deletePast(tx: Tx, units: readonly string[]): Promise<void> {
  await tx.deleteFrom('market_past').where('unit', 'in', units).execute();
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
