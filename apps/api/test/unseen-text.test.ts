/** What is required must show something: white space, direction marks and fillers are no words. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const visitor = api.client();

const unseen = [
  '\u200f ',
  '\u200f\u200b',
  '\u200b\u2066\u2069',
  '\u3164',
  '\u2800',
  '\u200c\u200d',
];

const sender = { name: 'Ada', email: 'ada@example.com', message: 'Where is it?' };
const fields: readonly [string, (text: string) => [Client, string, Json]][] = [
  ['name', (name) => [visitor, '/api/contact-submissions', { ...sender, name }]],
  ['message', (message) => [visitor, '/api/contact-submissions', { ...sender, message }]],
  ['title', (title) => [visitor, '/api/report-features', { title, description: 'Words' }]],
  ['title', (title) => [admin, '/api/admin/blogs', { title }]],
  ['title', (title) => [admin, '/api/admin/legal-pages', { title, slug: 'unseen' }]],
];

for (const [field, asked] of fields) {
  it(`${asked('')[1]} is refused where its ${field} shows nothing`, async () => {
    for (const text of unseen) {
      const [client, path, body] = asked(text);
      const answer = await client.post(path, body);
      assert.equal(answer.status, 422, JSON.stringify(text));
      assert.deepEqual(answer.body.errors, { [field]: [`The ${field} field is required.`] });
    }
  });
}

it('the heading of the home page is refused, at its place', async () => {
  const path = '/api/admin/settings/home-page';
  const { version, value } = (await admin.get(path)).body.data;
  const put = (title: string) =>
    admin.put(path, { version, value: { ...value, hero: { ...value.hero, title } } });
  for (const text of unseen) {
    const { status, body } = await put(text);
    assert.equal(status, 422);
    assert.deepEqual(body.errors, { 'hero.title': ['The hero title field is required.'] });
  }
});

it('a post and a legal page are not published with a title or a text that shows nothing', async () => {
  for (const path of ['/api/admin/blogs', '/api/admin/legal-pages']) {
    const { id, version, content } = (await admin.post(path, { title: 'Seen' })).body.data;
    const blank = { ...content, title: unseen[0], body: `<p>${unseen[1]}</p>` };
    const draft = await admin.put(`${path}/${id}/draft`, { version, content: blank });
    assert.equal(draft.status, 200, draft.text);
    const plan = { version: draft.body.data.version };
    const { status, body } = await admin.post(
      `${path}/${id}/publication`,
      path.endsWith('blogs') ? { ...plan, publish_at: null } : plan,
    );
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors), ['title', 'body']);
  }
});

it('joiners and direction marks stay inside of words', async () => {
  const title = 'نرخ‌ها \u200fUSD\u200f می‌مانند';
  const post = await admin.post('/api/admin/blogs', { title });
  assert.equal(post.status, 201, post.text);
  assert.equal(post.body.data.content.title, title);
  assert.equal((await admin.post('/api/admin/blogs', { title: '🏳️‍🌈' })).status, 201);
});
