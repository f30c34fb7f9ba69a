/** Reports are searched in times that do not grow with them. */
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import { checkSearches, type Searched } from '#test/factories/searched-lists.ts';
import { listReports, selectReports, type ReportRow } from './store.ts';

const { db } = await openTestDatabase({ after });

it('few reports are found by the index of words, however many others came since', async () => {
  await sql`
    insert into feature_reports (id, title, description, created_at)
    select gen_random_uuid(), 'Title', 'Wants w' || n || case when n <= 3 then ' pangolin' else '' end,
      now() + make_interval(secs => n)
    from generate_series(1, 20000) as n`.execute(db);
  await sql`vacuum analyze feature_reports`.execute(db);
  const reports: Searched<ReportRow> = {
    table: 'feature_reports',
    list: (ask) => listReports(db, ask),
    select: (ask, areFew) => selectReports(db, ask, areFew),
    nameOf: ({ description }) => description,
  };
  await checkSearches(db, reports, [
    ['zyzzyva', 0, undefined],
    ['wants pangol', 3, 'Wants w3 pangolin'],
    ['wants w', 51, 'Wants w20000'],
  ]);
});
