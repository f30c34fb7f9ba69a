/** Numbered pages of many posts: all of them, each once, whichever end they are counted from. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { transaction } from '#platform/database.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { BLOG } from './blog.ts';

const api = await startTestApi({ after });
const reader = api.client();

/** Two of each time, so that the order among equals counts too. */
async function addPosts(first: number, last: number): Promise<void> {
  await sql`
    insert into posts (id, slug, title, body_text, tags, draft, published_at)
    select uuidv7(), 'post-' || n, 'Post ' || n,
      'common ' || case when n % 7 = 0 then 'seventh' else 'other' end, array['All'], '{}',
      '2026-01-01T00:00:00Z'::timestamptz - (n / 2) * interval '1 hour'
    from generate_series(${first}::int, ${last}::int) as n`.execute(api.db);
  await transaction(api.db, (tx) => api.deps.published.changed(tx, BLOG));
}
async function pageOf(words: string): Promise<Json> {
  const { status, body, text } = await reader.get(`/api/public/blogs?per_page=10&${words}`);
  assert.equal(status, 200, text);
  return body;
}
const slugs = ({ data }: Json) => data.map(({ slug }: Json) => slug);

describe('forty-five posts', () => {
  before(() => addPosts(1, 45));

  for (const [what, words, expected] of [
    ['all of them', '', 45],
    ['a tag', 'tag=All&', 45],
    ['a common word', 'q=common&', 45],
    ['a rarer word', 'q=seventh&', 6],
  ] as const) {
    it(`are each on one page: ${what}`, async () => {
      const first = await pageOf(words);
      const pages = await Promise.all(
        Array.from({ length: first.meta.last_page }, (_, index) =>
          pageOf(`${words}page=${index + 1}`),
        ),
      );
      const found = pages.flatMap(slugs);
      assert.deepEqual([first.meta.total, found.length], [expected, expected]);
      assert.equal(new Set(found).size, expected);
      const { rows } = await sql<{ slug: string }>`
        select slug from posts where slug = any(${found}::text[])
        order by published_at desc, id desc`.execute(api.db);
      assert.deepEqual(
        found,
        rows.map(({ slug }) => slug),
      );
      assert.deepEqual(slugs(await pageOf(`${words}page=${first.meta.last_page + 1}`)), []);
      assert.deepEqual(slugs(await pageOf(`${words}page=99999`)), []);
    });
  }
});

describe('more posts than a search counts', () => {
  before(() => addPosts(46, 1100));

  it('are found to the thousandth, the newest first; lists without words count all', async () => {
    const found = await pageOf('q=common');
    assert.deepEqual([found.meta.total, found.meta.last_page], [1000, 100]);
    assert.equal((await pageOf('')).meta.total, 1100);
    assert.deepEqual(slugs(found), slugs(await pageOf('')));
    assert.deepEqual(slugs(await pageOf('q=common&page=100')), slugs(await pageOf('page=100')));
    assert.equal(slugs(await pageOf('page=110')).at(-1), 'post-1100');
  });
});
