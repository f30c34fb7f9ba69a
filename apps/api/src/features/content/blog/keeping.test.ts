/** Nothing that was written into a post is lost: its texts, its pictures, its addresses. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { MINUTE } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { anotherFile } from '#test/pictures.ts';

const api = await startTestApi({ after });
const reader = api.client();
const ada = await asEditor('Ada');
const bob = await asEditor('Bob');

async function asEditor(name: string): Promise<Client> {
  return (await api.asAdmin({ name })).client;
}

const path = (id: string, rest = '') => `/api/admin/blogs/${id}${rest}`;

async function begin(title: string, change: Json = {}): Promise<Json> {
  const { body } = await ada.post('/api/admin/blogs', { title });
  return save(ada, body.data, { body: '<p>First words.</p>', ...change });
}

async function save(who: Client, post: Json, change: Json): Promise<Json> {
  const content = { ...post.content, ...change };
  const answer = await who.put(path(post.id, '/draft'), { version: post.version, content });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function publish(post: Json): Promise<Json> {
  const plan = { version: post.version, publish_at: null };
  const answer = await ada.post(path(post.id, '/publication'), plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** The latest first: who wrote it, and its text. */
async function revisions({ id }: Json): Promise<[string, string][]> {
  const { body } = await ada.get(path(id, '/revisions'));
  const whole = body.data.map(async ({ number, author }: Json) => {
    const revision = await ada.get(path(id, `/revisions/${number}`));
    return [author, revision.body.data.content.body] as const;
  });
  return Promise.all(whole);
}

async function addPicture(): Promise<Json> {
  const create = { width: 400, height: 200, channels: 3, background: '#0b6b4c' } as const;
  const bytes = anotherFile(await sharp({ create }).jpeg().toBuffer());
  const upload = { bytes, name: 'a.jpg', type: 'image/jpeg' };
  return (await ada.upload('/api/admin/media', 'file', upload)).body.data;
}

const article = `<p>${'The whole article of Ada. '.repeat(20)}</p>`;

describe('a text that is typed over', () => {
  it('is kept when it is somebody else’s, in the name of who wrote it', async () => {
    let post = await begin('Another’s');
    post = await save(ada, post, { body: '<p>First words, and more.</p>' });
    await save(bob, post, { body: '<p>First words, and more of Bob.</p>' });
    assert.deepEqual(await revisions(post), [
      ['Ada', '<p>First words, and more.</p>'],
      ['Ada', '<p>First words.</p>'],
    ]);
  });

  it('is kept when much of it goes at once', async () => {
    for (const next of ['', '<p>The end.</p>', article.replaceAll('article', 'reference')]) {
      let post = await begin('At once');
      post = await save(ada, post, { body: article });
      await save(ada, post, { body: next });
      assert.deepEqual((await revisions(post)).map(([, body]) => body)[0], article);
    }
  });

  it('is kept when the last revision is old', async () => {
    let post = await begin('Later');
    post = await save(ada, post, { body: '<p>First words, and more.</p>' });
    assert.equal((await revisions(post)).length, 1);
    api.clock.advance(10 * MINUTE);
    await save(ada, post, { body: '<p>First words, and less.</p>' });
    assert.equal((await revisions(post))[1]?.[1], '<p>First words, and more.</p>');
  });

  it('is kept when half of a short text goes', async () => {
    let post = await begin('Short');
    post = await save(ada, post, { excerpt: 'Twenty letters and more' });
    post = await save(ada, post, { excerpt: '' });
    assert.equal((await revisions(post)).length, 2);
    post = await save(ada, post, { body: '<p>Another text of it.</p>' });
    await save(ada, post, { body: '<p>Another text of it, longer.</p>' });
    assert.equal((await revisions(post)).length, 2);
  });
});

describe('a picture of a public post', () => {
  it('is in use while either version shows it', async () => {
    const item = await addPicture();
    const remove = async () => (await ada.delete(`/api/admin/media/${item.id}`)).body?.code;
    const shown = `<p>x</p><img src="${item.path}" alt="a">`;
    let post = await publish(await begin('Shown', { body: shown, cover: item.path }));
    post = await save(ada, post, { body: '<p>x</p>', cover: null });
    assert.equal(await remove(), 'media_in_use');
    assert.equal((await reader.get('/api/public/blogs/shown')).body.data.cover, item.path);
    await ada.delete(path(post.id, '/publication'));
    assert.equal(await remove(), 'media_in_history');
  });

  it('is known to its revisions once the post is published without it', async () => {
    const item = await addPicture();
    let post = await publish(await begin('Was shown', { cover: item.path }));
    post = await publish(await save(ada, post, { cover: null, title: 'Not shown' }));
    const remove = (query: string) => ada.delete(`/api/admin/media/${item.id}${query}`);
    const uses = async () =>
      (await ada.get('/api/admin/media')).body.data.find(({ id }: Json) => id === item.id).uses;
    const past = [{ label: 'Post “Not shown”', href: `/admin/blog/${post.id}`, past: true }];
    assert.deepEqual(await uses(), past);

    assert.equal((await remove('')).body.code, 'media_in_history');
    assert.equal((await remove('?force=true')).status, 204);
  });

  it('is free once the post is deleted', async () => {
    const item = await addPicture();
    const post = await publish(await begin('Went', { cover: item.path }));
    assert.equal((await ada.delete(path(post.id))).status, 204);
    assert.equal((await ada.delete(`/api/admin/media/${item.id}`)).status, 204);
  });
});

describe('the address of a post that was public', () => {
  it('leads on also when it changed while the post was off the site', async () => {
    let post = await publish(await begin('Old address'));
    post = (await ada.delete(path(post.id, '/publication'))).body.data;
    post = await publish(await save(ada, post, { slug: 'new-address' }));
    assert.deepEqual(post.redirects, ['old-address']);
    assert.equal((await reader.get('/api/public/blogs/old-address')).body.data.slug, 'new-address');
    assert.equal((await begin('Old address')).content.slug, 'old-address-2');
  });

  it('is no address of a draft that never was', async () => {
    const post = await begin('Never there');
    assert.deepEqual((await publish(await save(ada, post, { slug: 'there' }))).redirects, []);
  });
});

describe('publishing', () => {
  it('of what somebody took off the site meanwhile is refused once: they are told of it first', async () => {
    const seen = await publish(await begin('Taken off'));
    const plan = ({ version }: Json) => ({ version, publish_at: null });
    const off = (await ada.delete(path(seen.id, '/publication'))).body.data;
    const late = await ada.post(path(seen.id, '/publication'), plan(seen));
    assert.deepEqual([late.status, late.body.code], [409, 'version_conflict']);
    assert.equal((await reader.get('/api/public/blogs/taken-off')).status, 404);
    // What is off the site already stays as it is, for whoever has seen that too.
    const again = (await ada.delete(path(seen.id, '/publication'))).body.data;
    assert.equal(again.version, off.version);
    assert.equal((await ada.post(path(seen.id, '/publication'), plan(off))).status, 200);
  });
});

it('a save that is sent again, since its answer was lost, is the same save', async () => {
  const post = await begin('Sent twice');
  const content = { ...post.content, title: ' Sent twice ', body: '<p onclick="x()">b</p>' };
  const put = (change: Json = {}) =>
    ada.put(path(post.id, '/draft'), {
      version: post.version,
      content: { ...content, ...change },
    });
  const [first, again] = [await put(), await put()];
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.deepEqual(again.body.data, first.body.data);
  assert.equal((await put({ title: 'Another' })).body.code, 'version_conflict');
  await save(ada, first.body.data, { title: 'Later' });
  assert.equal((await put()).body.code, 'version_conflict');
});

it('a save that is sent again makes the revision that is asked for with it, once', async () => {
  const post = await begin('Kept late');
  const content = { ...post.content, body: '<p>First words, and more.</p>' };
  const put = async (keep: boolean) => {
    const answer = await ada.put(path(post.id, '/draft'), { version: post.version, content, keep });
    assert.equal(answer.status, 200, answer.text);
    return (await revisions(post)).map(([, body]) => body);
  };
  const begun = '<p>First words.</p>';
  assert.deepEqual(await put(false), [begun]);
  assert.deepEqual(await put(true), [content.body, begun]);
  assert.deepEqual(await put(true), [content.body, begun]);
});

it('a post counts as changed where its cleaned text differs from what is published', async () => {
  let post = await publish(await begin('Typed anew', { body: '<p>One two</p>' }));
  for (const [body, changed] of [
    ['<p onclick="x()">One two</p><script>y</script>', false],
    ['<p>One <u>two</u></p>', true],
    ['<p>One two</p>', false],
  ] as const) {
    post = await save(ada, post, { body });
    assert.equal(post.changed, changed, body);
    const { body: list } = await ada.get('/api/admin/blogs?q=Typed');
    assert.equal(list.data[0].changed, changed, body);
  }
});
