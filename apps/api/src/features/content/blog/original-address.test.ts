/** Where a post first appeared: an address that programs can read, or it is not published. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

it('a post is not published with an original address that cannot be read', async () => {
  let post = (await admin.post('/api/admin/blogs', { title: 'Elsewhere' })).body.data;
  const path = `/api/admin/blogs/${post.id}`;
  const publish = async (canonical: string) => {
    const content = { ...post.content, body: '<p>Words.</p>', canonical };
    const saved = await admin.put(`${path}/draft`, { version: post.version, content });
    assert.equal(saved.status, 200, saved.text);
    const answer = await admin.post(`${path}/publication`, {
      version: saved.body.data.version,
      publish_at: null,
    });
    post = (await admin.get(path)).body.data;
    return answer;
  };
  for (const canonical of ['https://[', 'https://x:abc']) {
    const { status, body } = await publish(canonical);
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['canonical']], canonical);
  }
  const { status, body } = await publish('https://elsewhere.test/first|{1}%7C');
  assert.equal(status, 200);
  assert.equal(body.data.published.canonical, 'https://elsewhere.test/first%7C%7B1%7D%7C');
  await transaction(api.db, async (tx) => {
    await tx.updateTable('posts').set({ canonical: 'https://old.test/a|b' }).execute();
    await api.deps.published.changed(tx, 'blog');
  });
  const shown = await api.client().get(`/api/public/blogs/${post.slug}`);
  assert.equal(shown.body.data.canonical, 'https://old.test/a%7Cb');
});

it('an original address is counted as it is kept, encoded', async () => {
  const { id, version, content } = (await admin.post('/api/admin/blogs', { title: 'Long' })).body
    .data;
  const save = (signs: number) => {
    const canonical = `https://x.test/${'|'.repeat(signs)}`;
    return admin.put(`/api/admin/blogs/${id}/draft`, {
      version,
      content: { ...content, canonical },
    });
  };
  const { status, body } = await save(162);
  assert.equal(status, 422);
  assert.deepEqual(body.errors, {
    'content.canonical': ['The content canonical must not be greater than 500 characters.'],
  });
  const kept = await save(161);
  assert.equal(kept.body.data.content.canonical.length, 498);
});
