/**
 * SQL of the rate history. Rates are ordered by the time at which they came into force here: a
 * provider's own time may go back when another provider takes over.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

const STEPS = 200;

export interface Span {
  readonly pairId: string;
  readonly since: Date;
  readonly until: Date;
}

export interface HistoryRow {
  readonly id: string;
  readonly mid_rate: string;
  readonly source: string;
  /** The provider's own time. */
  readonly as_of: Date;
  readonly in_force_from: Date;
}

/**
 * The mid rates in force at evenly spread moments, oldest first: one index look-up per moment,
 * however many rates lie between. The moments of a pair younger than the range begin with its first
 * rate.
 */
export function pointsQuery({ pairId, since, until }: Span): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    with beginning as (
      select greatest(${since}::timestamptz, in_force_from) as moment from pair_rates
      where pair_id = ${pairId} order by in_force_from limit 1
    )
    select distinct r.in_force_from, r.id, r.as_of, r.mid_rate, r.source
    from beginning
    cross join generate_series(0, ${STEPS}::integer) as step
    cross join lateral (
      select id, as_of, in_force_from, mid_rate, source from pair_rates
      where pair_id = ${pairId} and in_force_from <=
        beginning.moment + (${until}::timestamptz - beginning.moment) * step / ${STEPS}::integer
      order by in_force_from desc, id desc limit 1
    ) as r
    order by in_force_from, id`;
}

/**
 * The highest and lowest mid rate between two moments, both included, each with the next different
 * rate, so that a chart shows how long it lasted.
 */
export function extremesQuery({ pairId, since, until }: Span): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    with stretch as (
      select id, as_of, in_force_from, mid_rate, source,
        lag(mid_rate) over (order by in_force_from, id) as before
      from pair_rates where pair_id = ${pairId} and in_force_from between ${since} and ${until}
    ), turns as (
      select *, row_number() over (order by in_force_from, id) as place
      from stretch where mid_rate is distinct from before
    ), extremes as (
      (select place from turns order by mid_rate desc, place limit 1)
      union (select place from turns order by mid_rate, place limit 1)
    )
    select id, as_of, in_force_from, mid_rate, source from turns
    where place in (select place from extremes) or place - 1 in (select place from extremes)`;
}

/** Both queries together, oldest first. */
export async function readPoints(db: Db, span: Span): Promise<readonly HistoryRow[]> {
  const spread = (await pointsQuery(span).execute(db)).rows;
  const [first] = spread;
  if (first === undefined) return [];
  // The rate in force at the beginning counts, however old it is.
  const extremes = (await extremesQuery({ ...span, since: first.in_force_from }).execute(db)).rows;
  const rows = new Map([...spread, ...extremes].map((row) => [row.id, row]));
  return [...rows.values()].toSorted(
    (a, b) =>
      a.in_force_from.getTime() - b.in_force_from.getTime() ||
      (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
  );
}

interface NewRate {
  readonly pair_id: string;
  readonly mid_rate: string;
  readonly source: string;
  readonly set_by: string | null;
  /** Now, unless it is imported. */
  readonly as_of?: Date;
}

/** Uses the time of the statement, since the transaction may have waited for a lock after its start. */
export async function insertRates(tx: Tx, points: readonly NewRate[]): Promise<void> {
  if (points.length === 0) return;
  const at = sql<Date>`clock_timestamp()`;
  const rows = points.map((point) => ({
    ...point,
    as_of: point.as_of ?? at,
    in_force_from: point.as_of ?? at,
  }));
  await tx.insertInto('pair_rates').values(rows).execute();
}

interface Stretch {
  readonly from: Date;
  /** Not included. */
  readonly until: Date;
  /** In UTC. */
  readonly step: 'hour' | 'day';
}

/** Keeps the last rate of each pair and step within the stretch. */
export function thinQuery({ from, until, step }: Stretch) {
  return sql`
    delete from pair_rates where id in (
      select id from (
        select id, row_number() over (
          partition by pair_id, date_trunc(${step}, in_force_from at time zone 'UTC')
          order by in_force_from desc, id desc) as place
        from pair_rates
        where in_force_from >= ${from} and in_force_from < ${until}
      ) as ranked
      where place > 1)`;
}

/** The number of deleted rates. */
export async function thinRates(db: Db, stretch: Stretch): Promise<bigint> {
  return (await thinQuery(stretch).execute(db)).numAffectedRows ?? 0n;
}
