import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { HOUR } from '#kernel/clock.ts';
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

describe('tags', () => {
  it('have the signs of every script, and are found under them', async () => {
    const tags = [
      'Traveller’s cheques',
      "d'or",
      'C#',
      'Fees (new)',
      'विनिमय',
      'می\u200cخواهم',
      'צה״ל',
      '中・日',
    ];
    await publish(await begin('Signs', tags));
    for (const tag of tags) {
      const answer = await api.client().get(`/api/public/blogs?tag=${encodeURIComponent(tag)}`);
      assert.equal(answer.body.data.length, 1, tag);
    }
    const post = (await editor.post('/api/admin/blogs', { title: 'Slash' })).body.data;
    // A tag of fillers is a link that nobody sees.
    for (const tag of ['24/7', '\u3164', '\uffa0\u115f']) {
      const content = { ...post.content, tags: [tag] };
      const refused = await editor.put(path(post.id, 'draft'), { version: post.version, content });
      assert.equal(refused.status, 422, tag);
      assert.deepEqual(Object.keys(refused.body.errors), ['content.tags.0']);
    }
  });

  it('are counted among what is public now, and in the console among drafts', async () => {
    const soon = new Date(api.clock.now().getTime() + HOUR).toISOString();
    await publish(await begin('Counted', ['Counted']));
    const scheduled = await begin('Scheduled', ['Counted']);
    const plan = { version: scheduled.version, publish_at: soon };
    await editor.post(path(scheduled.id, 'publication'), plan);
    await begin('Drafted', ['Counted']);
    const countOf = async (list: string) =>
      (await editor.get(list)).body.data.find(({ tag }: Json) => tag === 'Counted')?.posts;
    assert.equal(await countOf('/api/public/blog-tags'), 1);
    assert.equal(await countOf('/api/admin/blog-tags'), 3);
  });
});
