/** All SQL on `policy_reports`. */
import { sql, type Selectable } from 'kysely';
import type { PolicyReport } from '@cambist/contract/policy-reports';
import type { PolicyReportsTable } from '#platform/content-tables.ts';
import type { Db } from '#platform/database.ts';

type PolicyReportRow = Selectable<PolicyReportsTable>;

/** Counts each; a kind that is new is left out where there are `most` already. */
export async function countReport(
  db: Db,
  { page, directive, blocked }: PolicyReport,
  at: Date,
  most: number,
): Promise<void> {
  await sql`
    insert into policy_reports (page, directive, blocked, first_at, last_at)
    select ${page}, ${directive}, ${blocked}, ${at}, ${at}
    where (select count(*) from policy_reports) < ${most}
      or exists (
        select from policy_reports
        where page = ${page} and directive = ${directive} and blocked = ${blocked})
    on conflict (page, directive, blocked)
    do update set times = policy_reports.times + 1, last_at = excluded.last_at`.execute(db);
}

export async function listReports(db: Db): Promise<PolicyReportRow[]> {
  return db
    .selectFrom('policy_reports')
    .selectAll()
    .orderBy('last_at', 'desc')
    .orderBy('page')
    .execute();
}

export async function deleteReportsBefore(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('policy_reports')
    .where('last_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
