/** The addresses of a post. */
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

async function publish({ id, version, content }: Json): Promise<Json> {
  const ready = { version, content: { ...content, body: '<p>Words.</p>' } };
  const { body } = await editor.put(`/api/admin/blogs/${id}/draft`, ready);
  const plan = { version: body.data.version, publish_at: null };
  const answer = await editor.post(`/api/admin/blogs/${id}/publication`, plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

it('is listed by its public address, whatever its draft has', async () => {
  const listed = async () => (await editor.get('/api/admin/blogs?q=Listed')).body.data[0].slug;
  const draft = await at('listed-here', await begin('Listed'));
  assert.equal(await listed(), 'listed-here');
  await at('listed-there', await publish(draft));
  assert.equal(await listed(), 'listed-here');
});
