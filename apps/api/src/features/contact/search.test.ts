/** The inbox is searched in times that do not grow with it. */
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import { checkSearches, type Searched } from '#test/factories/searched-lists.ts';
import { listSubmissions, selectSubmissions, type SubmissionRow } from './store.ts';

const { db } = await openTestDatabase({ after });

it('few messages are found by the index of words, however many others came since', async () => {
  await sql`
    insert into contact_submissions (id, name, email, topic, message, created_at)
    select gen_random_uuid(), 'Name', 'a@b.example', 'other',
      'Paid w' || n || case when n <= 3 then ' pangolin' else '' end, now() + make_interval(secs => n)
    from generate_series(1, 20000) as n`.execute(db);
  await sql`vacuum analyze contact_submissions`.execute(db);
  const inbox: Searched<SubmissionRow> = {
    table: 'contact_submissions',
    list: (ask) => listSubmissions(db, { ...ask, number: null }),
    select: (ask, areFew) => selectSubmissions(db, { ...ask, number: null }, areFew),
    nameOf: ({ message }) => message,
  };
  await checkSearches(db, inbox, [
    ['zyzzyva', 0, undefined],
    ['pangolin', 3, 'Paid w3 pangolin'],
    ['paid pangol', 3, 'Paid w3 pangolin'],
    ['paid', 51, 'Paid w20000'],
    ['paid w', 51, 'Paid w20000'],
  ]);
});
