/** What the synchronisation remembers: its runs, and what it knows of each provider. */
import type { RateProviderName } from '@cambist/contract/rate-settings';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { RateProviderStatesTable, RateRunsTable } from '#platform/tables.generated.ts';

export type RunRow = Selectable<RateRunsTable> & { readonly actor: string | null };
export type ProviderState = Selectable<RateProviderStatesTable>;

const LOCK = 0x72617465;

/** Until the transaction ends nobody else judges or decides. */
export async function lockRates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
}

/**
 * Ends runs whose process has left them, so that they stand in nobody's way: also those from a
 * clock that was ahead, which would else bar all others until that time has come.
 */
export async function endLostRuns(
  tx: Tx,
  {
    now,
    afterMs,
    reason,
  }: { readonly now: Date; readonly afterMs: number; readonly reason: string },
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

/** False when it was ended meanwhile, by one who took it for lost. */
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

/** The units of which each provider gave a sound rate in a run since then. */
export async function listGiven(db: Db | Tx, since: Date): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ provider: string; units: string[] }>`
    select attempt ->> 'provider' as provider, array_agg(distinct unit order by unit) as units
    from rate_runs,
      jsonb_array_elements(attempts) as attempt,
      jsonb_array_elements_text(attempt -> 'units') as unit
    where started_at > ${since}
    group by 1
  `.execute(db);
  return new Map(rows.map(({ provider, units }) => [provider, units]));
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

/** As they stand; nobody else changes one of them until the transaction ends. */
export async function lockStates(tx: Tx): Promise<Map<string, ProviderState>> {
  const rows = await tx
    .selectFrom('rate_provider_states')
    .selectAll()
    .orderBy('provider')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.provider, row]));
}

/** One more request of `month`, in UTC: `2026-11`. */
export async function countRequest(
  db: Db,
  provider: RateProviderName,
  month: string,
): Promise<void> {
  await db
    .insertInto('rate_provider_states')
    .values({ provider, month, requests: 1 })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet({
        month,
        requests: sql`case when rate_provider_states.month = ${month}
          then rate_provider_states.requests else 0 end + 1`,
      }),
    )
    .execute();
}

export async function upsertStates(
  tx: Tx,
  states: readonly (ProviderState & { readonly provider: RateProviderName })[],
): Promise<void> {
  if (states.length === 0) return;
  await tx
    .insertInto('rate_provider_states')
    .values([...states])
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet((excluded) => ({
        failures: excluded.ref('excluded.failures'),
        open_until: excluded.ref('excluded.open_until'),
        last_success_at: excluded.ref('excluded.last_success_at'),
        answer_at: excluded.ref('excluded.answer_at'),
        answer_to: excluded.ref('excluded.answer_to'),
        answer_failure: excluded.ref('excluded.answer_failure'),
        unusable: excluded.ref('excluded.unusable'),
        refused_at: excluded.ref('excluded.refused_at'),
        last_failure_at: excluded.ref('excluded.last_failure_at'),
        last_failure: excluded.ref('excluded.last_failure'),
        next_update_at: excluded.ref('excluded.next_update_at'),
        asked_at: excluded.ref('excluded.asked_at'),
        requested_at: excluded.ref('excluded.requested_at'),
        retry_at: excluded.ref('excluded.retry_at'),
        units: excluded.ref('excluded.units'),
        month: excluded.ref('excluded.month'),
        requests: excluded.ref('excluded.requests'),
      })),
    )
    .execute();
}
