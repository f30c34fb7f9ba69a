/** Reports are searched in times that do not grow with them. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { searchWords } from '#kernel/search-words.ts';
import { areFewFound } from '#platform/time-list.ts';
import { openTestDatabase } from '#test/database.ts';
import { listReports, selectReports } from './store.ts';

const { db } = await openTestDatabase({ after });

it('few reports are found by the index of words, however many others came since', async () => {
  await sql`
    insert into feature_reports (id, title, description, created_at)
    select gen_random_uuid(), 'Title', 'Wants w' || n || case when n <= 3 then ' pangolin' else '' end,
      now() + make_interval(secs => n)
    from generate_series(1, 20000) as n`.execute(db);
  await sql`vacuum analyze feature_reports`.execute(db);
  for (const [text, count, first] of [
    ['zyzzyva', 0, undefined],
    ['wants pangol', 3, 'Wants w3 pangolin'],
    ['wants w', 51, 'Wants w20000'],
  ] as const) {
    const words = searchWords(text);
    const ask = { state: undefined, words, after: null, limit: 51 };
    const found = await listReports(db, ask);
    assert.deepEqual([found.length, found[0]?.description], [count, first], text);
    const areFew = await areFewFound(db, 'feature_reports', words);
    const plan = JSON.stringify(await selectReports(db, ask, areFew).explain('json'));
    const index = `feature_reports_${areFew ? 'search' : 'newest'}`;
    assert.ok(plan.includes(index) && !plan.includes('Seq Scan'), `${text}: ${plan}`);
    assert.equal(areFew, count < 51, text);
  }
});
