/** All SQL on `feature_reports`. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { ReportState } from '@cambist/contract/feature-reports';
import type { Id } from '#kernel/id.ts';
import type { TimePlace } from '#kernel/time-cursor.ts';
import type { FeatureReportsTable } from '#platform/content-tables.ts';
import type { Db, Tx } from '#platform/database.ts';

export type ReportRow = Selectable<FeatureReportsTable>;

export async function insertReport(db: Db, report: Insertable<FeatureReportsTable>): Promise<void> {
  await db.insertInto('feature_reports').values(report).execute();
}

export interface ReportsAsk {
  /** Undefined for all but the suspected. */
  readonly state: ReportState | undefined;
  /** For `to_tsquery`; null for all. */
  readonly words: string | null;
  readonly after: TimePlace | null;
  readonly limit: number;
}

export async function listReports(
  db: Db,
  { state, words, after, limit }: ReportsAsk,
): Promise<ReportRow[]> {
  return db
    .selectFrom('feature_reports')
    .selectAll()
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'new'))
    .$if(state === undefined, (query) => query.where('state', '!=', 'suspected'))
    .$if(words !== null, (query) =>
      query.where(sql<boolean>`search @@ to_tsquery('simple', ${words})`),
    )
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}, ${after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
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
