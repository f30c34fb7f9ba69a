/** Numbered pages of many posts: each once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { BLOG } from './blog.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

/** Two of each time, so that the order among equals counts too. */
async function addPosts(first: number, last: number): Promise<void> {
  await sql`
    insert into posts (id, slug, title, body_text, tags, draft, published_at, saved_at)
    select uuidv7(), 'post-' || n, 'Post ' || n,
      'common ' || case when n % 7 = 0 then 'seventh' else 'other' end, array['All'],
      jsonb_build_object('slug', 'post-' || n, 'title', 'Written ' || n, 'author', '', 'tags', '[]'::jsonb),
      at, at
    from generate_series(${first}::int, ${last}::int) as n,
      lateral (select '2026-01-01T00:00:00Z'::timestamptz - (n / 2) * interval '1 hour' as at) as hours`.execute(
    api.db,
  );
  await transaction(api.db, (tx) => api.deps.published.changed(tx, BLOG));
}
/** The addresses on all pages, in their order. */
async function allOf(path: string, words: string, last: number): Promise<string[]> {
  const pages = await Promise.all(
    Array.from({ length: last }, async (_, index) => {
      const answer = await admin.get(`${path}?per_page=10&${words}page=${index + 1}`);
      return slugs(answer.body);
    }),
  );
  return pages.flat();
}
const slugs = ({ data }: Json) => data.map(({ slug }: Json) => slug);

/** Each of them once, in the order of their times, which are the same for readers and the console. */
async function assertAll(path: string, words: string, expected: number): Promise<void> {
  const { status, body, text } = await admin.get(`${path}?per_page=10&${words}`);
  assert.equal(status, 200, text);
  const found = await allOf(path, words, body.meta.last_page);
  assert.deepEqual([body.meta.total, found.length], [expected, expected]);
  assert.equal(new Set(found).size, expected);
  const { rows } = await sql<{ slug: string }>`
    select slug from posts where slug = any(${found}::text[])
    order by saved_at desc, id desc`.execute(api.db);
  assert.deepEqual(
    found,
    rows.map(({ slug }) => slug),
  );
  for (const page of [body.meta.last_page + 1, 99_999]) {
    assert.deepEqual(slugs((await admin.get(`${path}?per_page=10&${words}page=${page}`)).body), []);
  }
}

describe('forty-five posts', () => {
  before(() => addPosts(1, 45));

  for (const [what, list, words, expected] of [
    ['all of them', 'public/blogs', '', 45],
    ['a tag', 'public/blogs', 'tag=All&', 45],
    ['a common word', 'public/blogs', 'q=common&', 45],
    ['a rarer word', 'public/blogs', 'q=seventh&', 6],
    ['the console’s', 'admin/blogs', '', 45],
    ['the console’s that are public', 'admin/blogs', 'state=published&', 45],
    ['the console’s drafts, of which there are none', 'admin/blogs', 'state=draft&', 0],
    ['a word of their texts in the console', 'admin/blogs', 'q=common&', 45],
    ['a word of their working copies', 'admin/blogs', 'q=written&', 45],
    ['a rarer word in the console', 'admin/blogs', 'q=seventh&', 6],
  ] as const) {
    it(`are each on one page: ${what}`, () => assertAll(`/api/${list}`, words, expected));
  }
});
