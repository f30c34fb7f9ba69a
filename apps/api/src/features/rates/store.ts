/** SQL on `rate_runs`, `rate_provider_states` and `rate_watch`. */
import type { RateProviderName } from '@cambist/contract/rate-settings';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type {
  RateProviderStatesTable,
  RateRunsTable,
  RateWatchTable,
} from '#platform/db/tables.generated.ts';

export type RunRow = Selectable<RateRunsTable> & { readonly actor: string | null };
export type ProviderState = Selectable<RateProviderStatesTable>;
/** Without the count of requests, which only `countRequests` writes. */
export type StateChange = Partial<Omit<ProviderState, 'provider' | 'month' | 'requests'>>;

const LOCK = 0x72617465;

/** Until the transaction ends no other one accepts rates or decides questions. */
export async function lockRates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
}

/** Ends runs whose process died, also those dated in the future by a wrong clock. */
export async function endLostRuns(
  tx: Tx,
  { now, afterMs, reason }: { now: Date; afterMs: number; reason: string },
): Promise<void> {
  await tx
    .updateTable('rate_runs')
    .set({ finished_at: now, outcome: 'failed', reason })
    .where('finished_at', 'is', null)
    .where((where) =>
      where.or([
        where('started_at', '<', new Date(now.getTime() - afterMs)),
        where('started_at', '>', new Date(now.getTime() + afterMs)),
      ]),
    )
    .execute();
}

/** False while another run is not finished. */
export async function insertRun(
  tx: Tx,
  run: Pick<Insertable<RateRunsTable>, 'id' | 'trigger' | 'actor_id' | 'started_at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('rate_runs')
    .values({ ...run, finished_at: null, outcome: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False where another process has ended it as lost. */
export async function finishRun(
  tx: Tx,
  id: Id,
  change: Updateable<RateRunsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rate_runs')
    .set(change)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const selectRuns = (db: Db | Tx) =>
  db
    .selectFrom('rate_runs as r')
    .leftJoin('users as u', 'u.id', 'r.actor_id')
    .selectAll('r')
    .select('u.name as actor');

export async function findRun(db: Db | Tx, id: Id): Promise<RunRow | undefined> {
  return selectRuns(db).where('r.id', '=', id).executeTakeFirst();
}

export async function findLastFinished(db: Db | Tx): Promise<RunRow | undefined> {
  return selectRuns(db)
    .where('r.finished_at', 'is not', null)
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest first. */
export async function listRuns(
  db: Db,
  after: { readonly at: Date; readonly id: Id } | null,
  limit: number,
): Promise<RunRow[]> {
  return selectRuns(db)
    .where(
      after === null
        ? sql<boolean>`true`
        : sql<boolean>`(r.started_at, r.id) < (${after.at}, ${after.id}::uuid)`,
    )
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}

export async function deleteRunsBefore(tx: Tx, before: Date): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom('rate_runs')
    .where('started_at', '<', before)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows;
}

export async function listStates(db: Db | Tx): Promise<Map<string, ProviderState>> {
  const rows = await db.selectFrom('rate_provider_states').selectAll().execute();
  return new Map(rows.map((row) => [row.provider, row]));
}

export async function upsertState(
  db: Db | Tx,
  provider: RateProviderName,
  change: StateChange,
): Promise<void> {
  await db
    .insertInto('rate_provider_states')
    .values({ provider, ...change })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(change))
    .execute();
}

/** `month`: in UTC, `2026-11`. Safe for a concurrent run and key test. */
export async function countRequests(
  db: Db,
  provider: RateProviderName,
  month: string,
  requests: number,
): Promise<void> {
  await db
    .insertInto('rate_provider_states')
    .values({ provider, month, requests })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet({
        month,
        requests: sql`case when rate_provider_states.month = ${month}
          then rate_provider_states.requests else 0 end + ${requests}`,
      }),
    )
    .execute();
}

/** The state of the last email about the age of rates; locked until the transaction ends. */
export async function lockWatch(tx: Tx, now: Date): Promise<RateWatchTable['state']> {
  await tx
    .insertInto('rate_watch')
    .values({ state: 'live', changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { state } = await tx
    .selectFrom('rate_watch')
    .select('state')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return state;
}

export async function updateWatch(tx: Tx, state: RateWatchTable['state'], now: Date) {
  await tx.updateTable('rate_watch').set({ state, changed_at: now }).execute();
}
