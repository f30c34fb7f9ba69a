/** Revisions say what their post was at the time: a draft, scheduled, or public. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
let { client: editor } = await api.asAdmin();
/** Whoever was away for long signs in anew. */
async function later(ms: number): Promise<void> {
  api.clock.advance(ms);
  editor = (await api.asAdmin()).client;
}

const path = (id: string, rest: string) => `/api/admin/blogs/${id}/${rest}`;

async function save(post: Json, words: string): Promise<Json> {
  const content = { ...post.content, body: `<p>${words}</p>` };
  const change = { version: post.version, content, keep: true };
  const answer = await editor.put(path(post.id, 'draft'), change);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function publish(post: Json, publish_at: string | null): Promise<Json> {
  const plan = { version: post.version, publish_at };
  const answer = await editor.post(path(post.id, 'publication'), plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const told = async ({ id }: Json) =>
  (await editor.get(path(id, 'revisions'))).body.data
    .map(({ reason, state, published_at }: Json) => [reason, state, published_at])
    .toReversed();

describe('a revision', () => {
  it('says what the post was, also when it is something else by now', async () => {
    let post = (await editor.post('/api/admin/blogs', { title: 'Planned' })).body.data;
    post = await save(post, 'one');
    const [first, second] = [2 * HOUR, 3 * HOUR].map((ms) =>
      new Date(api.clock.now().getTime() + ms).toISOString(),
    );
    post = await publish(post, first ?? '');
    post = await publish(post, second ?? '');
    post = await save(post, 'two');
    await later(4 * HOUR);
    post = await save(post, 'three');
    post = await publish(post, null);
    post = (await editor.delete(path(post.id, 'publication'))).body.data;
    api.clock.advance(MINUTE);
    post = await save(post, 'four');
    const expected = [
      ['saved', 'draft', null],
      ['published', 'scheduled', first],
      ['published', 'scheduled', second],
      ['saved', 'scheduled', second],
      ['saved', 'published', second],
      ['published', 'published', second],
      ['saved', 'draft', null],
    ];
    assert.deepEqual(await told(post), expected);
  });
});
