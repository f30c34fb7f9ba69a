/** What is typed and what is searched are split into words alike. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { searchWords } from '#kernel/search-words.ts';
import { openTestDatabase } from '#test/database.ts';

const { db } = await openTestDatabase({ after });

/** The planes that have signs between words. */
const PLANES = [
  [1, 0xd7ff],
  [0xe000, 0x1_ffff],
  [0xe_0000, 0xe_0fff],
] as const;

it('splits stored text at the same characters as search input', async () => {
  for (const [first, last] of PLANES) {
    const { rows } = await sql<{ sign: number; words: string }>`
      select sign, words from generate_series(${first}::int, ${last}::int) as sign,
        searched_words('a' || chr(sign) || 'b') as words
      where words <> 'a' || chr(sign) || 'b'`.execute(db);
    const known = new Map(rows.map(({ sign, words }) => [sign, words]));
    for (let sign = first; sign <= last; sign += 1) {
      const letter = String.fromCodePoint(sign);
      const asked = searchWords(`a${letter}b`)
        ?.replace(/'(.*?)':\*/gsu, '$1')
        .replaceAll(' & ', ' ');
      assert.equal(asked, known.get(sign) ?? `a${letter}b`, `U+${sign.toString(16)}`);
    }
  }
});

it('an index is used for each search', async () => {
  await sql`
    insert into contact_submissions (id, name, email, topic, message)
    select gen_random_uuid(), 'Name', 'a@b.example', 'other', 'Paid w' || n || '.50'
    from generate_series(1, 5000) as n`.execute(db);
  await sql`
    insert into feature_reports (id, title, description)
    select gen_random_uuid(), 'Title', 'Paid w' || n || '.50' from generate_series(1, 5000) as n`.execute(
    db,
  );
  await sql`
    insert into media (id, key, name, width, height, fallback_format)
    select gen_random_uuid(), lpad(n::text, 16, '0'), 'w' || n || '.50', 1, 1, 'jpg'
    from generate_series(1, 5000) as n`.execute(db);
  await sql`
    insert into posts (id, slug, title, draft)
    select gen_random_uuid(), 'p-' || n, 'w' || n || '.50', jsonb_build_object('title', 'w' || n || '.50')
    from generate_series(1, 5000) as n`.execute(db);
  for (const [table, column] of [
    ['contact_submissions', 'search'],
    ['feature_reports', 'search'],
    ['media', 'search'],
    ['posts', 'search'],
    ['posts', 'draft_search'],
  ] as const) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
    const found = db
      .selectFrom(table)
      .select('id')
      .where(sql<boolean>`${sql.ref(column)} @@ to_tsquery('simple', ${searchWords('W777.50 ”')})`);
    assert.equal((await found.execute()).length, 1, table);
    assert.match(JSON.stringify(await found.explain('json')), new RegExp(`${table}_${column}"`));
  }
});
