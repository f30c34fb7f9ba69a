/** All SQL on `policy_reports`. */
import { sql, type Selectable } from 'kysely';
import type { PolicyReport } from '@cambist/contract/policy-reports';
import type { PolicyReportsTable } from '#platform/tables.generated.ts';
import type { Db } from '#platform/database.ts';

type PolicyReportRow = Selectable<PolicyReportsTable>;

export interface Most {
  readonly kinds: number;
  /** Posts, or pairs, that are told apart of one directive and what it stopped. */
  readonly pages: number;
}

/**
 * Counts each; a kind that is new is left out where there are so many already. What is met on
 * very many posts, or pairs, is counted for all others together: it would leave no room for more.
 */
export async function countReport(
  db: Db,
  { page, directive, blocked }: PolicyReport,
  at: Date,
  most: Most,
): Promise<void> {
  const section = `/${page.split('/')[1] ?? ''}`;
  await sql`
    insert into policy_reports (page, directive, blocked, first_at, last_at)
    select counted.page, ${directive}, ${blocked}, ${at}, ${at}
    from (
      select case when bool_or(page = ${page})
          or count(*) filter (where page like ${`${section}/_%`}) < ${most.pages}
        then ${page}::text else ${section}::text end as page
      from policy_reports where directive = ${directive} and blocked = ${blocked}
    ) as counted
    where (select count(*) from policy_reports) < ${most.kinds}
      or exists (
        select from policy_reports k
        where k.page = counted.page and k.directive = ${directive} and k.blocked = ${blocked})
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
