/** A working copy says of its address, at each saving, what publishing would refuse. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: editor } = await api.asAdmin();

const begin = async (title: string): Promise<Json> =>
  (await editor.post('/api/admin/blogs', { title })).body.data;

async function at(slug: string, { id, version, content }: Json): Promise<Json> {
  const body = { version, content: { ...content, slug } };
  const answer = await editor.put(`/api/admin/blogs/${id}/draft`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

it('tells of an address that is taken, or can be none', async () => {
  const first = await begin('First');
  let second = await begin('Second');
  assert.equal(second.slug_fault, null);
  for (const [slug, fault] of [
    [first.slug, 'taken'],
    ['No Address', 'invalid'],
    ['', 'invalid'],
    ['third', null],
  ] as const) {
    second = await at(slug, second);
    assert.equal(second.slug_fault, fault, slug);
  }
});
