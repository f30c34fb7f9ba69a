/** A tag is one tag, whoever types it in whatever case. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: editor } = await api.asAdmin();
const path = (id: string, rest: string) => `/api/admin/blogs/${id}/${rest}`;

async function begin(title: string, tags: string[]): Promise<Json> {
  return save((await editor.post('/api/admin/blogs', { title })).body.data, tags);
}

async function save(post: Json, tags: string[]): Promise<Json> {
  const content = { ...post.content, body: '<p>Words.</p>', tags };
  const answer = await editor.put(path(post.id, 'draft'), { version: post.version, content });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function publish(post: Json): Promise<Json> {
  const plan = { version: post.version, publish_at: null };
  const answer = await editor.post(path(post.id, 'publication'), plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const publicTags = async () =>
  (await api.client().get('/api/public/blog-tags')).body.data.map(({ tag }: Json) => tag);

describe('tags', () => {
  it('that differ by their case are one, as it was spelled first', async () => {
    const first = await publish(await begin('First', ['rates', 'Ärger']));
    const second = await publish(await begin('Second', ['RATES', 'Rates', 'ärger', 'New']));
    assert.deepEqual(second.content.tags, ['rates', 'Ärger', 'New']);
    assert.deepEqual((await publicTags()).toSorted(), ['New', 'rates', 'Ärger']);
    // Its only post may spell a tag anew; one that others have stays as they have it.
    assert.deepEqual((await save(second, ['new', 'Rates'])).content.tags, ['new', 'rates']);
    assert.deepEqual((await save(first, ['Own'])).content.tags, ['Own']);
  });

  it('of before are made one, the order of each post kept', async () => {
    const [old, late] = [await begin('Old', ['zinsen']), await begin('Late', ['zoll'])];
    const tags = ['Zoll', 'ZINSEN', 'Zinsen'];
    await sql`update posts set tags = ${tags}, draft = jsonb_set(draft, '{tags}', to_jsonb(${tags}::text[]))
      where id = ${late.id}`.execute(api.db);
    const file = new URL('../../../migrations/0046_one_spelling.sql', import.meta.url);
    const text = await readFile(file, 'utf8');
    await api.deps.sql.unsafe(text);
    const { rows } =
      await sql<Json>`select tags, draft_tags from posts where id = ${late.id}`.execute(api.db);
    assert.deepEqual(rows, [{ tags: ['Zoll', 'zinsen'], draft_tags: ['Zoll', 'zinsen'] }]);
    assert.deepEqual((await editor.get(path(old.id, '').slice(0, -1))).body.data.content.tags, [
      'zinsen',
    ]);
  });
});
