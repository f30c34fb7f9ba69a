import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { attacks } from '@cambist/html/attacks';
import sharp from 'sharp';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { publishDue } from './due.ts';

const api = await startTestApi({ after });
let { client: admin } = await api.asAdmin({ name: 'Ada Rate' });
const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
const reader = api.client();

/** What a request may carry at all. */
const printable = attacks.filter((attack) => !/[\0\u0001]/.test(attack));

/** Sessions end while the clock moves. */
async function later(ms: number): Promise<void> {
  api.clock.advance(ms);
  ({ client: admin } = await api.asAdmin());
}

const path = (id: string, rest = '') => `/api/admin/blogs/${id}${rest}`;

async function begin(title: string, change: Json = {}): Promise<Json> {
  const { body } = await admin.post('/api/admin/blogs', { title });
  return save(body.data, { body: '<p>Text of it.</p>', ...change });
}

async function save(post: Json, change: Json): Promise<Json> {
  const content = { ...post.content, ...change };
  const answer = await admin.put(path(post.id, '/draft'), { version: post.version, content });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function publish(post: Json, publish_at: string | null = null): Promise<Json> {
  const answer = await admin.post(path(post.id, '/publication'), {
    version: post.version,
    publish_at,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const slugs = async (query = '') =>
  (await reader.get(`/api/public/blogs${query}`)).body.data.map(
    ({ slug }: { slug: string }) => slug,
  );

describe('a draft', () => {
  it('begins with an address that is free, and nobody else sees it', async () => {
    const first = await begin('A first post');
    const second = await begin('A first post');
    assert.equal(first.content.slug, 'a-first-post');
    assert.equal(second.content.slug, 'a-first-post-2');
    assert.equal(first.content.author, 'Ada Rate');
    assert.equal((await reader.get('/api/public/blogs/a-first-post')).status, 404);
    assert.deepEqual(await slugs(), []);
  });

  it('is cleaned', async () => {
    const post = await begin('Two editors');
    const saved = await save(post, { body: `<p onclick="x">a</p>${printable.join('')}` });
    assert.doesNotMatch(saved.content.body, /<script|onerror|onclick|javascript:/i);
    assert.ok(saved.removed.includes('onclick of <p>'));
  });

  it('is found by its tags before it is public', async () => {
    await begin('Tagged', { tags: ['C++ & more', 'Held'] });
    const list = await admin.get(`/api/admin/blogs?tag=${encodeURIComponent('C++ & more')}`);
    assert.deepEqual(
      list.body.data.map(({ title }: Json) => title),
      ['Tagged'],
    );
    assert.deepEqual((await admin.get('/api/admin/blogs?tag=hel')).body.data, []);
    const { body } = await admin.get('/api/admin/blog-tags');
    assert.deepEqual(body.data, [
      { tag: 'C++ & more', posts: 1 },
      { tag: 'Held', posts: 1 },
    ]);
  });

  it('is for who may write the site (401, 403)', async () => {
    assert.equal((await reader.get('/api/admin/blogs')).status, 401);
    assert.equal((await desk.get('/api/admin/blogs')).status, 403);
    assert.equal((await admin.get('/api/admin/blogs?state=draft')).status, 200);
  });
});

describe('publishing', () => {
  it('shows the post at once, and what is saved afterwards only when it is published again', async () => {
    const post = await publish(await begin('Shown', { tags: ['Rates'], excerpt: 'One.' }));
    assert.deepEqual([post.state, post.changed], ['published', false]);
    const { body, headers } = await reader.get('/api/public/blogs/shown');
    assert.equal(body.data.body, '<p>Text of it.</p>');
    assert.equal(body.data.reading_minutes, 1);
    assert.ok(headers['etag']);
    const saved = await save(post, { body: '<p>New.</p>' });
    assert.equal(saved.changed, true);
    assert.match((await reader.get('/api/public/blogs/shown')).text, /Text of it/);
    await publish(saved);
    assert.match((await reader.get('/api/public/blogs/shown')).text, /New\./);
    await admin.delete(path(post.id, '/publication'));
    assert.equal((await reader.get('/api/public/blogs/shown')).status, 404);
  });

  it('names the last publisher beside the last author', async () => {
    const first = await publish(await begin('By two'));
    assert.equal(first.published_by, 'Ada Rate');
    const { client: other } = await api.asAdmin({ name: 'Bob Rate' });
    const plan = { version: first.version, publish_at: null };
    const { body } = await other.post(path(first.id, '/publication'), plan);
    const last = await save(body.data, { title: 'By both' });
    assert.deepEqual([last.published_by, last.saved_by], ['Bob Rate', 'Ada Rate']);
    assert.equal((await begin('By nobody')).published_by, null);
  });

  it('refuses what is not ready, by field (422)', async () => {
    const cases: [string, Json][] = [
      ['title', { title: ' ' }],
      ['body', { body: '<p> </p><script>x</script>' }],
      ['slug', { slug: 'No Slug' }],
      ['cover', { cover: '/media/bcdfghjkmnpqrstv-640.webp' }],
      ['head_script', { head_script: '<script>alert(1)</script>' }],
      ['head_script', { head_script: '{"@context":"https://schema.org"' }],
      ['head_script', { head_script: '{"@context":"https://schema.org","__proto__":{}}' }],
    ];
    for (const [field, change] of cases) {
      const post = await begin(`Not ready ${field}`, change);
      const { status, body } = await admin.post(path(post.id, '/publication'), {
        version: post.version,
        publish_at: null,
      });
      assert.equal(status, 422, field);
      assert.ok(body.errors[field], JSON.stringify(body));
    }
  });

  it('writes structured data anew', async () => {
    const head_script =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","name":"</script >"}</script>';
    const post = await publish(
      await begin('Structured', { head_script: head_script.replace('</script >', '<\\/script>') }),
    );
    assert.equal(post.changed, false);
    const { body } = await reader.get('/api/public/blogs/structured');
    assert.deepEqual(body.data.structured, [
      { '@context': 'https://schema.org', '@type': 'Article', name: '</script>' },
    ]);
  });

  it('tells the cover as a file that link previews take, while there is one', async () => {
    const bytes = await sharp({
      create: { width: 700, height: 350, channels: 3, background: '#333' },
    })
      .jpeg()
      .toBuffer();
    const upload = { bytes, name: 'cover.jpg', type: 'image/jpeg' };
    const item = (await admin.upload('/api/admin/media', 'file', upload)).body.data;
    await publish(await begin('Covered', { cover: item.path }));
    const { data } = (await reader.get('/api/public/blogs/covered')).body;
    assert.deepEqual([data.cover, data.cover_fallback], [item.path, item.fallback]);
    await publish(await begin('Uncovered'));
    const other = (await reader.get('/api/public/blogs/uncovered')).body.data;
    assert.deepEqual([other.cover, other.cover_fallback], [null, null]);
  });

  it('redirects from the old address permanently, and gives it to no other post', async () => {
    const post = await publish(await begin('Old address'));
    const moved = await publish(await save(post, { slug: 'new-address' }));
    assert.deepEqual(moved.redirects, ['old-address']);
    assert.equal((await reader.get('/api/public/blogs/old-address')).body.data.slug, 'new-address');
    const other = await begin('Another');
    const taken = await save(other, { slug: 'old-address' });
    const refused = await admin.post(path(taken.id, '/publication'), {
      version: taken.version,
      publish_at: null,
    });
    assert.ok(refused.body.errors.slug);
    const back = await publish(await save(moved, { slug: 'old-address' }));
    assert.deepEqual(back.redirects, ['new-address']);
    assert.equal((await reader.get('/api/public/blogs/new-address')).body.data.slug, 'old-address');
  });

  it('may be for later: readers see it from then on, everywhere', async () => {
    const at = new Date(api.clock.now().getTime() + HOUR);
    const post = await publish(await begin('For later'), at.toISOString());
    assert.equal(post.state, 'scheduled');
    assert.equal((await reader.get('/api/public/blogs/for-later')).status, 404);
    const listed = async () => (await reader.get('/api/public/blog-addresses')).text;
    assert.ok(![...(await slugs()), await listed()].join().includes('for-later'));
    await later(HOUR);
    // Nothing has told this process; what it keeps ends by itself.
    assert.ok((await slugs()).includes('for-later'));
    assert.match(await listed(), /for-later/);
    assert.equal(
      await publishDue(api.deps).run(api.clock.now(), AbortSignal.any([])),
      '1 published',
    );
    assert.equal(
      await publishDue(api.deps).run(api.clock.now(), AbortSignal.any([])),
      '0 published',
    );
  });
});

describe('the list', () => {
  it('is paged, narrowed by tag and searched', async () => {
    for (const title of ['Alpha gold', 'Beta gold', 'Gamma silver']) {
      await publish(await begin(title, { tags: [title.split(' ')[1]] }));
      api.clock.advance(MINUTE);
    }
    assert.deepEqual(await slugs('?tag=gold'), ['beta-gold', 'alpha-gold']);
    assert.deepEqual(await slugs('?q=GAM%20silv'), ['gamma-silver']);
    assert.deepEqual(await slugs("?q=':*%20%26"), []);
    const { body } = await reader.get('/api/public/blogs?per_page=1&page=2&tag=gold');
    assert.deepEqual(
      body.data.map(({ slug }: Json) => slug),
      ['alpha-gold'],
    );
    assert.deepEqual([body.meta.total, body.meta.last_page, body.links.next], [2, 2, null]);
    assert.match(body.links.prev, /tag=gold/);
    const tags = (await reader.get('/api/public/blog-tags')).body.data;
    assert.deepEqual(
      tags.find(({ tag }: Json) => tag === 'gold'),
      { tag: 'gold', posts: 2 },
    );
    const post = (await reader.get('/api/public/blogs/alpha-gold')).body.data;
    assert.deepEqual(
      post.related.map(({ slug }: Json) => slug),
      ['beta-gold'],
    );
    const addresses = (await reader.get('/api/public/blog-addresses')).body.data;
    assert.equal(addresses[0].slug, 'gamma-silver');
  });
});

describe('a preview link', () => {
  it('shows the draft without an account, for three days', async () => {
    const post = await begin('Preview me', { head_script: 'broken' });
    const { body } = await admin.post(path(post.id, '/preview-link'));
    const token = body.data.url.split('/').at(-1);
    const shown = await reader.get(`/api/public/blog-previews/${token}`);
    assert.equal(shown.body.data.title, 'Preview me');
    assert.match(String(shown.headers['cache-control']), /no-store/);
    for (const wrong of [
      `${token}x`,
      token.replace(/\.\d/, '.9'),
      'x',
      `${token.split('.')[0]}..`,
    ]) {
      assert.equal((await reader.get(`/api/public/blog-previews/${wrong}`)).status, 404, wrong);
    }
    await later(3 * DAY + MINUTE);
    assert.equal((await reader.get(`/api/public/blog-previews/${token}`)).status, 404);
  });
});

describe('deleting a post', () => {
  it('takes it off the site with its revisions', async () => {
    const post = await publish(await begin('Goes'));
    assert.equal((await admin.delete(path(post.id))).status, 204);
    assert.equal((await reader.get('/api/public/blogs/goes')).status, 404);
    assert.equal((await admin.get(path(post.id))).status, 404);
    const left = api.db.selectFrom('content_revisions').where('subject_id', '=', post.id);
    assert.deepEqual(await left.selectAll().execute(), []);
  });
});

describe('a post that was taken off the site', () => {
  it('redirects from its old address when it is published at another', async () => {
    let post = await publish(await begin('Former address'));
    post = (await admin.delete(path(post.id, '/publication'))).body.data;
    post = await publish(await save(post, { slug: 'present-address' }));
    assert.deepEqual(post.redirects, ['former-address']);
    assert.equal(
      (await reader.get('/api/public/blogs/former-address')).body.data.slug,
      'present-address',
    );
    assert.equal((await begin('Former address')).content.slug, 'former-address-2');
    const never = await begin('Never there');
    assert.deepEqual((await publish(await save(never, { slug: 'there' }))).redirects, []);
  });

  it('is not published again from a page that still shows it as public (409)', async () => {
    const seen = await publish(await begin('Taken off'));
    const off = (await admin.delete(path(seen.id, '/publication'))).body.data;
    const plan = ({ version }: Json) => ({ version, publish_at: null });
    assert.equal((await admin.post(path(seen.id, '/publication'), plan(seen))).status, 409);
    assert.equal((await admin.post(path(seen.id, '/publication'), plan(off))).status, 200);
  });
});
