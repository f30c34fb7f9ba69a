/**
 * SQL of a pair's history: each rate is found through the index on the pair and
 * the time at which it came into force here. A provider's own time may go back
 * when another provider takes over, and orders nothing.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#platform/database.ts';

/** Moments at which one looks; one more rate than this is answered at most. */
const STEPS = 200;

export interface Span {
  readonly pairId: string;
  readonly since: Date;
  readonly until: Date;
}

export interface HistoryRow {
  readonly mid_rate: string;
  readonly source: string;
  /** The provider's own time. */
  readonly as_of: Date;
  readonly in_force_from: Date;
}

/**
 * The mid rates in force at evenly spread moments, oldest first. A look-up in the
 * index for each moment, so it costs the same however many rates lie between.
 */
export function pointsQuery({ pairId, since, until }: Span): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    select distinct r.in_force_from, r.id, r.as_of, r.mid_rate, r.source
    from generate_series(0, ${STEPS}::integer) as step
    cross join lateral (
      select id, as_of, in_force_from, mid_rate, source from pair_rates
      where pair_id = ${pairId} and in_force_from <=
        ${since}::timestamptz + (${until}::timestamptz - ${since}::timestamptz) * step / ${STEPS}::integer
      order by in_force_from desc, id desc limit 1
    ) as r
    order by r.in_force_from, r.id`;
}

/** Between two moments, both included: a stretch of the index, which thinning keeps short. */
export function extremesQuery({
  pairId,
  since,
  until,
}: Span): RawBuilder<{ high: string | null; low: string | null }> {
  return sql`
    select max(mid_rate)::text as high, min(mid_rate)::text as low from pair_rates
    where pair_id = ${pairId} and in_force_from between ${since} and ${until}`;
}

export async function readPoints(db: Db, span: Span): Promise<readonly HistoryRow[]> {
  return (await pointsQuery(span).execute(db)).rows;
}

export async function readExtremes(db: Db, span: Span) {
  return (await extremesQuery(span).execute(db)).rows[0] ?? { high: null, low: null };
}
