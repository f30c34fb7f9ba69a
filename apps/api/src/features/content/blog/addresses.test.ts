import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { BLOG } from './blog.ts';

const api = await startTestApi({ after });
const reader = api.client();
const ask = async (path: string) => (await reader.get(`/api/public/${path}`)).body.data;

/** As many posts as that, published when they were written; `canonical` of each. */
async function posts(name: string, count: number, canonical: string | null): Promise<void> {
  await sql`
    insert into posts (id, slug, title, draft, canonical, updated_at, published_at)
    select gen_random_uuid(), ${name} || '-' || n, 'A post', '{}', ${canonical}, at, at
    from (select n, now() - make_interval(mins => n) as at from generate_series(1, ${count}::int) as n) as many`.execute(
    api.db,
  );
  await transaction(api.db, (tx) => api.deps.published.changed(tx, BLOG));
}

it('the addresses of posts come in parts, which end where the next begins', async () => {
  assert.deepEqual(await ask('blog-address-parts'), []);
  await posts('own', 5002, null);
  await posts('elsewhere', 3, 'https://elsewhere.test/first');
  const [first, second, ...others] = await ask('blog-address-parts');
  assert.deepEqual([first.after, first.posts, second.posts, others.length], [null, 5000, 2, 0]);
  const [one, two] = [
    await ask('blog-addresses'),
    await ask(`blog-addresses?after=${second.after}`),
  ];
  assert.deepEqual([one.length, two.length, one.at(-1).slug], [5000, 2, second.after]);
  const all: Json[] = [...one, ...two];
  assert.equal(new Set(all.map(({ slug }) => slug)).size, 5002);
  assert.ok(all.every(({ slug }) => slug.startsWith('own-')));
  const newest = all
    .map(({ updated_at }) => updated_at)
    .toSorted()
    .at(-1);
  assert.ok([first.updated_at, second.updated_at].includes(newest));
});

it('a post that is published later than it was written changed when it was published', async () => {
  await sql`delete from posts`.execute(api.db);
  const written = new Date('2026-01-01T00:00:00Z');
  const published = new Date('2026-02-01T00:00:00Z');
  await sql`
    insert into posts (id, slug, title, draft, updated_at, published_at)
    values (gen_random_uuid(), 'late', 'Late', '{}', ${written}, ${published})`.execute(api.db);
  await transaction(api.db, (tx) => api.deps.published.changed(tx, BLOG));
  assert.deepEqual(await ask('blog-addresses'), [
    { slug: 'late', updated_at: published.toISOString() },
  ]);
});
