/** What was written into a legal page and never published is kept when another text takes its place. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import sharp from 'sharp';
import type { Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: ada } = await api.asAdmin({ name: 'Ada' });
const { client: bob } = await api.asAdmin({ name: 'Bob' });

const path = (id: string, rest = '') => `/api/admin/legal-pages/${id}${rest}`;

async function done(answer: Promise<{ status: number; text: string; body: Json }>): Promise<Json> {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

const save = (who: Client, { id, version, content }: Json, change: Json) =>
  done(who.put(path(id, '/draft'), { version, content: { ...content, ...change } }));
const publish = ({ id, version }: Json) => done(ada.post(path(id, '/publication'), { version }));
const restore = ({ id, version }: Json, from: string) =>
  done(bob.post(path(id, `/${from}/restoration`), { version }));
const copyOf = ({ id }: Json, number: number) => done(ada.get(path(id, `/copies/${number}`)));

async function begin(title: string): Promise<Json> {
  const page = await done(ada.post('/api/admin/legal-pages', { title }));
  return save(ada, page, { body: '<p>Version one.</p>', summary: 'A page.' });
}

it('a text that is the latest version once it is cleaned makes no version', async () => {
  const first = await save(ada, await begin('Cleaned'), { body: '<p>All of it.</p>' });
  const published = await publish(first);
  const page = await save(ada, published, {
    body: '<p style="x">All of it.</p><script>y</script>',
  });
  assert.deepEqual([page.content.body, page.changed], ['<p>All of it.</p>', false]);
  const { version } = page;
  const refused = await ada.post(path(page.id, '/publication'), { version });
  assert.deepEqual([refused.status, refused.body.code], [409, 'nothing_changed']);
  assert.equal((await save(ada, page, { body: '<p><u>All</u> of it.</p>' })).changed, true);
});

it('a version put back keeps the working copy, which can be put back itself', async () => {
  const published = await publish(await begin('Terms'));
  const work = { body: '<p>Three weeks of a lawyer.</p>', change: 'All of it' };
  const written = await save(ada, published, work);
  const restored = await restore(written, 'versions/1');
  assert.equal(restored.content.body, '<p>Version one.</p>');
  assert.deepEqual(
    restored.copies.map(({ number, author }: Json) => [number, author]),
    [[1, 'Ada']],
  );
  assert.deepEqual((await copyOf(restored, 1)).content, written.content);
  const back = await restore(restored, 'copies/1');
  assert.deepEqual(back.content, written.content);
  // What version 1 says needs no copy, nor when it is the latest no more.
  assert.equal(back.copies.length, 1);
  const second = await restore(await publish(back), 'versions/1');
  assert.equal((await save(ada, second, { body: '' })).copies.length, 1);
});

it('a save over somebody else’s text, or over much of one, keeps it', async () => {
  let page = await begin('Privacy');
  const first = page.content;
  page = await save(ada, page, { body: '<p>Version one, and more.</p>' });
  assert.equal(page.copies.length, 0);
  page = await save(bob, page, { body: '<p>Version one, and more of it.</p>' });
  page = await save(bob, page, { body: '' });
  assert.deepEqual(
    page.copies.map(({ author }: Json) => author),
    ['Bob', 'Ada'],
  );
  assert.deepEqual((await copyOf(page, 1)).content, {
    ...first,
    body: '<p>Version one, and more.</p>',
  });
});

it('what is not there, or under another version, is refused (404, 409)', async () => {
  const { id, version } = await begin('Cookies');
  assert.equal((await ada.get(path(id, '/copies/1'))).status, 404);
  const restoration = path(id, '/copies/1/restoration');
  assert.equal((await ada.post(restoration, { version })).status, 404);
  assert.equal((await ada.post(restoration, { version: version + 1 })).status, 409);
});

it('a picture that only a kept working copy shows is known to the library', async () => {
  const create = { width: 40, height: 20, channels: 3, background: '#0b6b4c' } as const;
  const upload = {
    bytes: await sharp({ create }).jpeg().toBuffer(),
    name: 'a.jpg',
    type: 'image/jpeg',
  };
  const item = await done(ada.upload('/api/admin/media', 'file', upload));
  const remove = async (query = '') =>
    (await ada.delete(`/api/admin/media/${item.id}${query}`)).body?.code;
  const published = await publish(await begin('Pictured'));
  const written = await save(ada, published, { body: `<p>x</p><img src="${item.path}" alt="" />` });
  assert.equal(await remove(), 'media_in_use');
  await restore(written, 'versions/1');
  assert.equal(await remove(), 'media_in_history');
  assert.equal(await remove('?force=true'), undefined);
});
