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

it('lists what links to either of its addresses', async () => {
  const holder = await at('a-first-place', await begin('The holder'));
  await publish(await at('a-second-place', await publish(holder)));

  // Not to a longer one that begins like it.
  const link = async (path: string) => {
    const { id, version, content } = await begin(`Links ${path}`);
    const body = `<p><a href="${path}">there</a></p>`;
    await editor.put(`/api/admin/blogs/${id}/draft`, { version, content: { ...content, body } });
    return id;
  };
  const linking = [await link('/blog/a-first-place'), await link('/blog/a-second-place#end')];
  await link('/blog/a-second-place-of-another');
  const home = (await editor.get('/api/admin/settings/home-page')).body.data;
  const columns = [{ title: 'Read', links: [{ label: 'Why', href: '/blog/a-first-place' }] }];
  const footer = { ...home.value.footer, columns };
  const value = { ...home.value, footer };
  const saved = await editor.put('/api/admin/settings/home-page', { version: home.version, value });
  assert.equal(saved.status, 200, saved.text);
  const campaign = async (path: string): Promise<string> => {
    const { id, version } = (await editor.post('/api/admin/campaigns')).body.data;
    const letter = { version, subject: 'News', preview: '', locale: null };
    const link = `<p><a href="${path}">there</a></p>`;
    const kept = await editor.put(`/api/admin/campaigns/${id}`, { ...letter, body: link });
    assert.equal(kept.status, 200, kept.text);
    return id;
  };
  const waiting = await campaign('http://localhost:4000/blog/a-first-place');
  const sent = await campaign('/blog/a-second-place');
  await campaign('/blog/a-second-place-of-another');
  const now = api.clock.now();
  await api.db
    .updateTable('campaigns')
    .set({ state: 'sent', started_at: now })
    .where('id', '=', sent)
    .execute();
  const { body } = await editor.get(`/api/admin/blogs/${holder.id}/links`);
  assert.deepEqual(
    body.data.map(({ kind, id }: Json) => [kind, id]).toSorted(),
    [
      ...linking.map((id) => ['post', id]),
      ['settings', 'home-page'],
      ['campaign', waiting],
      ['sent_campaign', sent],
    ].toSorted(),
  );
});
