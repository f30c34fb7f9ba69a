/**
 * SQL of a pair's history: each rate is found through the index on the pair and
 * the time at which it came into force here. A provider's own time may go back
 * when another provider takes over, and orders nothing.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Moments at which one looks, and once more at the end. */
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
 * The mid rates in force at evenly spread moments, oldest first. A look-up in the
 * index for each moment, so it costs the same however many rates lie between.
 * A pair that is younger than the range has all the moments since its first rate: spread over
 * the whole range they would draw a few long steps where its rate moved each hour.
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
 * The highest and the lowest mid rate between two moments, both included, each with the next other
 * one, so that it is seen how short they were: one that was confirmed anew is no other. A stretch of
 * the index, which thinning keeps short.
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

/** Oldest first: those in force at evenly spread moments, and the extremes between them. */
export async function readPoints(db: Db, span: Span): Promise<readonly HistoryRow[]> {
  const spread = (await pointsQuery(span).execute(db)).rows;
  const [first] = spread;
  if (first === undefined) return [];
  // What was in force at the beginning belongs to the range, however old it is.
  const extremes = (await extremesQuery({ ...span, since: first.in_force_from }).execute(db)).rows;
  const rows = new Map([...spread, ...extremes].map((row) => [row.id, row]));
  return [...rows.values()].toSorted(
    (a, b) =>
      a.in_force_from.getTime() - b.in_force_from.getTime() ||
      (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
  );
}
