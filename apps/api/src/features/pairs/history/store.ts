/**
 * SQL of the rate history. Rates are ordered by the time at which they came into force here: a
 * provider's own time may go back when another provider takes over.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#platform/db/database.ts';

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

/** The rate in force at the beginning, and all that came into force until the end, oldest first. */
export function listRatesQuery({ pairId, since, until }: Span): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    select id, as_of, in_force_from, mid_rate, source from pair_rates
    where pair_id = ${pairId} and in_force_from <= ${until} and in_force_from >= coalesce((
      select max(in_force_from) from pair_rates
      where pair_id = ${pairId} and in_force_from <= ${since}), ${since})
    order by in_force_from, id`;
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
