/** All SQL on `feature_reports`. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { ReportState } from '@cambist/contract/feature-reports';
import type { Id } from '#kernel/id.ts';
import type { FeatureReportsTable } from '#platform/db/tables.generated.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { isAfter, isFound, type ListAsk } from '#platform/db/time-list.ts';

export type ReportRow = Selectable<FeatureReportsTable>;

export async function insertReport(db: Db, report: Insertable<FeatureReportsTable>): Promise<void> {
  await db.insertInto('feature_reports').values(report).execute();
}

/** Without a state all but the suspected. */
export async function listReports(
  db: Db,
  { state, words, after, limit }: ListAsk<ReportState>,
): Promise<ReportRow[]> {
  return db
    .selectFrom('feature_reports')
    .selectAll()
    .where('state', state === undefined ? '!=' : '=', state ?? 'suspected')
    .where(isFound(words))
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countReports(
  db: Db,
): Promise<{ new: number; planned: number; suspected: number }> {
  const count = (state: ReportState) =>
    sql<number>`(select count(*)::int from feature_reports where state = ${state})`;
  return db
    .selectNoFrom([
      count('new').as('new'),
      count('planned').as('planned'),
      count('suspected').as('suspected'),
    ])
    .executeTakeFirstOrThrow();
}

export async function lockReport(tx: Tx, id: Id): Promise<ReportRow | undefined> {
  return tx
    .selectFrom('feature_reports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateReport(
  tx: Tx,
  id: Id,
  change: Updateable<FeatureReportsTable>,
): Promise<ReportRow> {
  return tx
    .updateTable('feature_reports')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteReport(tx: Tx, id: Id): Promise<ReportRow | undefined> {
  return tx.deleteFrom('feature_reports').where('id', '=', id).returningAll().executeTakeFirst();
}
