/**
 * What is written of the history of pairs: all that inserts into `pair_rates`
 * by hand, and its thinning.
 */
import { sql } from 'kysely';
import type { Tx } from '#platform/db/database.ts';

export interface RatePoint {
  readonly pair_id: string;
  readonly mid_rate: string;
  readonly source: string;
  readonly set_by: string | null;
  /** Both now, unless it is history. */
  readonly as_of?: Date;
}

/**
 * Into force by the clock at this moment, not at the transaction's beginning: whoever waited for
 * the flow's lock comes after the one it waited for.
 */
export async function insertRates(tx: Tx, points: readonly RatePoint[]): Promise<void> {
  if (points.length === 0) return;
  const at = sql<Date>`clock_timestamp()`;
  const rows = points.map((point) => ({
    ...point,
    as_of: point.as_of ?? at,
    in_force_from: point.as_of ?? at,
  }));
  await tx.insertInto('pair_rates').values(rows).execute();
}

/** Null before the first thinning. */
export async function readThinned(
  tx: Tx,
): Promise<{ readonly hourly_until: Date; readonly daily_until: Date } | null> {
  const row = await tx
    .selectFrom('pair_rates_thinned')
    .select(['hourly_until', 'daily_until'])
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function keepThinned(
  tx: Tx,
  times: { readonly hourly_until: Date; readonly daily_until: Date },
): Promise<void> {
  await tx
    .insertInto('pair_rates_thinned')
    .values(times)
    .onConflict((conflict) => conflict.column('single').doUpdateSet(times))
    .execute();
}

/** Null without any. */
export async function oldestRate(tx: Tx): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('pair_rates')
    .select((all) => all.fn.min<Date | null>('in_force_from').as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

export interface Stretch {
  readonly from: Date;
  /** Not included. */
  readonly until: Date;
  /** In UTC. */
  readonly step: 'hour' | 'day';
}

/** Of the rates that came into force within the stretch the last of each pair and step stays. */
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

/** Answers how many went. */
export async function thinRates(tx: Tx, stretch: Stretch): Promise<bigint> {
  return (await thinQuery(stretch).execute(tx)).numAffectedRows ?? 0n;
}
