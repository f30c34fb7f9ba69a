/** The inbox is searched in times that do not grow with it. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { searchWords } from '#kernel/search-words.ts';
import { areFewFound } from '#platform/time-list.ts';
import { openTestDatabase } from '#test/database.ts';
import { listSubmissions, selectSubmissions } from './store.ts';

const { db } = await openTestDatabase({ after });

it('few messages are found by the index of words, however many others came since', async () => {
  await sql`
    insert into contact_submissions (id, name, email, topic, message, created_at)
    select gen_random_uuid(), 'Name', 'a@b.example', 'other',
      'Paid w' || n || case when n <= 3 then ' pangolin' else '' end, now() + make_interval(secs => n)
    from generate_series(1, 20000) as n`.execute(db);
  await sql`vacuum analyze contact_submissions`.execute(db);
  for (const [text, count, first] of [
    ['zyzzyva', 0, undefined],
    ['pangolin', 3, 'Paid w3 pangolin'],
    ['paid pangol', 3, 'Paid w3 pangolin'],
    ['paid', 51, 'Paid w20000'],
    ['paid w', 51, 'Paid w20000'],
  ] as const) {
    const words = searchWords(text);
    const ask = { state: undefined, words, number: null, after: null, limit: 51 };
    const found = await listSubmissions(db, ask);
    assert.deepEqual([found.length, found[0]?.message], [count, first], text);
    const areFew = await areFewFound(db, 'contact_submissions', words);
    const plan = JSON.stringify(await selectSubmissions(db, ask, areFew).explain('json'));
    const index = `contact_submissions_${areFew ? 'search' : 'newest'}`;
    assert.ok(plan.includes(index) && !plan.includes('Seq Scan'), `${text}: ${plan}`);
    assert.equal(areFew, count < 51, text);
  }
});
