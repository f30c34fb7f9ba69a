import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { reservedSlugs } from '@cambist/contract/legal-pages';
import { attacks } from '@cambist/html/attacks';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
let { client: admin } = await api.asAdmin({ name: 'Lea Law' });
const reader = api.client();

const ROOT = '/api/admin/legal-pages';
const path = (id: string, rest = '') => `${ROOT}/${id}${rest}`;
const publicPath = (slug: string, query = '') => `/api/legal-pages/slug/${slug}${query}`;
const day = (days = 0) =>
  new Date(api.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);

/** Sessions end while the clock moves. */
async function later(ms: number): Promise<void> {
  api.clock.advance(ms);
  ({ client: admin } = await api.asAdmin({ name: 'Lea Law' }));
}

async function save(page: Json, change: Json): Promise<Json> {
  const content = { ...page.content, ...change };
  const answer = await admin.put(path(page.id, '/draft'), { version: page.version, content });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function begin(slug: string, change: Json = {}): Promise<Json> {
  const { status, body, text } = await admin.post(ROOT, { title: `Page ${slug}`, slug });
  assert.equal(status, 201, text);
  return save(body.data, { body: '<p>Text.</p>', summary: 'A page.', ...change });
}

async function publish(page: Json): Promise<Json> {
  const answer = await admin.post(path(page.id, '/publication'), { version: page.version });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const refuse = async (page: Json) =>
  admin.post(path(page.id, '/publication'), { version: page.version });

describe('GET /api/legal-pages', () => {
  it('lists what is published, in order, without the bodies', async () => {
    const second = await publish(await begin('second'));
    const first = await publish(await begin('first'));
    const hidden = await begin('hidden');
    const ordered = await admin.put(`${ROOT}/order`, { ids: [first.id, second.id, hidden.id] });
    assert.equal(ordered.status, 200, ordered.text);
    const { status, body } = await reader.get('/api/legal-pages');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ slug }: Json) => slug),
      ['first', 'second'],
    );
    assert.deepEqual(Object.keys(body.data[0]).toSorted(), [
      'effective_on',
      'redirects',
      'slug',
      'summary',
      'title',
      'updated_at',
      'version',
    ]);
    assert.equal(body.data[0].effective_on, day());
  });
});

describe('GET /api/legal-pages/slug/{slug}', () => {
  it('answers the version in force with its body, from memory with an ETag', async () => {
    const { status, body, headers } = await reader.get(publicPath('second'));
    assert.equal(status, 200);
    const { body: html, version, state, until, versions } = body.data;
    assert.deepEqual([html, version, state, until], ['<p>Text.</p>', 1, 'in_force', null]);
    assert.equal(versions.length, 1);
    const etag = String(headers['etag']);
    const again = await reader.get(publicPath('second'), { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });

  it('answers 404 for what is not there, not published, or no slug', async () => {
    for (const slug of ['nothing', 'hidden', 'No-Slug', '..%2fsecond', 'second%00']) {
      assert.equal((await reader.get(publicPath(slug))).status, 404, slug);
    }
    assert.equal((await reader.get(publicPath('second', '?version=9'))).status, 404);
    assert.equal((await reader.get(publicPath('second', '?version=0'))).status, 422);
  });
});

describe('a version', () => {
  it('is made by publishing, and the earlier one stays to be read', async () => {
    const page = await publish(await begin('growing', { title: 'Growing', body: '<p>One.</p>' }));
    await later(2 * SECOND);
    const draft = await save(page, { body: '<p>Two.</p>', change: 'Two instead of one.' });
    assert.equal(draft.changed, true);
    assert.equal((await reader.get(publicPath('growing'))).body.data.body, '<p>One.</p>');

    const published = await publish(draft);
    const { data } = (await reader.get(publicPath('growing'))).body;
    assert.deepEqual([data.version, data.body], [2, '<p>Two.</p>']);
    assert.deepEqual(
      data.versions.map(({ version, state, change }: Json) => [version, state, change]),
      [
        [2, 'in_force', 'Two instead of one.'],
        // Both on one day: the first was in force until the second was published.
        [1, 'past', ''],
      ],
    );
    const old = (await reader.get(publicPath('growing', '?version=1'))).body.data;
    assert.deepEqual([old.body, old.title, old.until], ['<p>One.</p>', 'Growing', day()]);
    assert.equal(published.versions[0].author, 'Lea Law');
    assert.deepEqual([published.content.change, published.changed], ['', false]);
  });

  it('is announced until its day comes', async () => {
    const page = await publish(await begin('dated', { body: '<p>Old.</p>' }));
    const effective_on = day(3);
    await publish(await save(page, { body: '<p>New.</p>', change: 'New.', effective_on }));
    const before = (await reader.get(publicPath('dated'))).body.data;
    assert.deepEqual([before.body, before.until], ['<p>Old.</p>', effective_on]);
    assert.equal(before.versions[0].state, 'announced');
    const announced = (await reader.get(publicPath('dated', '?version=2'))).body.data;
    assert.deepEqual([announced.body, announced.state], ['<p>New.</p>', 'announced']);

    await later(3 * DAY + 61 * SECOND);
    const then = (await reader.get(publicPath('dated'))).body.data;
    assert.deepEqual([then.body, then.state], ['<p>New.</p>', 'in_force']);
    assert.equal(then.updated_at, `${effective_on}T00:00:00.000Z`);
    assert.equal((await reader.get(publicPath('dated', '?version=1'))).body.data.state, 'past');
  });

  it('is never changed and never deleted, whoever tries', async () => {
    const change = api.db.updateTable('legal_page_versions').set({ body: 'x' }).execute();
    await assert.rejects(change, /append-only/);
    await assert.rejects(api.db.deleteFrom('legal_page_versions').execute(), /append-only/);
  });

  it('needs a title, a text, and from the second on a sentence and no day that is past', async () => {
    const page = await begin('judged', { title: '', body: '<p> </p>' });
    const first = await refuse(page);
    assert.equal(first.status, 422);
    assert.deepEqual(Object.keys(first.body.errors), ['title', 'body']);
    const since = await save(page, { title: 'Judged', body: '<p>a</p>', effective_on: day(-400) });
    const published = await publish(since);
    assert.equal(published.versions[0].effective_on, day(-400));
    const again = await save(published, { body: '<p>b</p>', effective_on: day(-1) });
    const second = await refuse(again);
    assert.deepEqual(Object.keys(second.body.errors), ['change', 'effective_on']);
    const same = await refuse(await save(again, { body: '<p>a</p>', effective_on: null }));
    assert.deepEqual([same.status, same.body.code], [409, 'nothing_changed']);
  });
});

describe('the address of a legal page', () => {
  it('is made of the title, and refused where it belongs to another page or is taken', async () => {
    const { body } = await admin.post(ROOT, { title: 'Cookies & you' });
    assert.equal(body.data.slug, 'cookies-you');
    for (const slug of [...reservedSlugs, 'first', 'cookies-you']) {
      const { status, body: refused } = await admin.post(ROOT, { title: 'x', slug });
      assert.deepEqual([status, Object.keys(refused.errors)], [422, ['slug']], slug);
    }
    const taken = await admin.post(ROOT, { title: 'x', slug: 'cookies-you' });
    // By the field's own name, in whose place a form puts its label.
    assert.deepEqual(taken.body.errors.slug, ['The slug has already been taken.']);
    const signs = /^The slug may have small letters, digits and single hyphens only\.$/;
    for (const slug of ['No Slug', '-x', 'robots.txt', 'a/b']) {
      assert.match((await admin.post(ROOT, { title: 'x', slug })).body.errors.slug[0], signs);
    }
    assert.equal((await admin.post(ROOT, { title: '🎉' })).status, 422);
    assert.equal((await admin.post(ROOT, { title: 'Admin' })).status, 422);
  });

  it('leaves the former one behind for good', async () => {
    const page = await publish(await begin('old-place'));
    const move = (slug: string, version: number) =>
      admin.put(path(page.id, '/address'), { version, slug });
    assert.equal((await move('admin', page.version)).status, 422);
    const moved = await move('new-place', page.version);
    assert.deepEqual(moved.body.data.redirects, ['old-place']);
    const { body: listed } = await reader.get('/api/legal-pages');
    const there = listed.data.find(({ slug }: Json) => slug === 'new-place');
    assert.deepEqual(there.redirects, ['old-place']);
    assert.equal((await reader.get(publicPath('old-place'))).body.data.slug, 'new-place');
    assert.equal((await admin.post(ROOT, { title: 'x', slug: 'old-place' })).status, 422);
    assert.equal((await move('third-place', page.version)).status, 409);
    const back = await move('old-place', moved.body.data.version);
    assert.deepEqual(back.body.data.redirects, ['new-place']);
    assert.equal((await reader.get(publicPath('new-place'))).body.data.slug, 'old-place');
  });

  it('cannot be one of the API’s own', () => {
    const surface = readFileSync(new URL('../../../../test/surface.txt', import.meta.url), 'utf8');
    const segments = [...surface.matchAll(/^\/([a-z0-9-]+)(?=[/ ])/gm)].map(
      ([, name = '']) => name,
    );
    assert.ok(segments.includes('api') && segments.includes('sanctum'), segments.join());
    const reserved = reservedSlugs as readonly string[];
    for (const segment of segments) assert.ok(reserved.includes(segment), segment);
  });
});

describe('a draft', () => {
  it('is cleaned, and names what was removed', async () => {
    const printable = attacks.filter((attack) => !/[\0\u0001]/.test(attack));
    const page = await begin('cleaned');
    const saved = await save(page, { body: `<p onclick="x">a</p>${printable.join('')}` });
    assert.doesNotMatch(saved.content.body, /<script|<[^>]*onerror|<[^>]*onclick|"javascript:/i);
    assert.ok(saved.removed.includes('onclick of <p>') && saved.removed.includes('<script>'));
    assert.deepEqual((await save(saved, { body: '<p>fine</p>' })).removed, []);
    assert.equal(saved.saved_by, 'Lea Law');
  });

  it('is read through its preview link for three days', async () => {
    const page = await begin('shown', { title: 'Shown', body: '<p>To be read.</p>' });
    const { url } = (await admin.post(path(page.id, '/preview-link'))).body.data;
    const token = new URL(url).pathname.replace('/legal-preview/', '');
    const open = (text: string) => reader.get(`/api/legal-page-previews/${text}`);
    const { data } = (await open(token)).body;
    assert.deepEqual([data.body, data.version, data.state], ['<p>To be read.</p>', 1, 'in_force']);
    assert.equal((await open(`${token.slice(0, -2)}xx`)).status, 404);
    assert.equal((await reader.get(`/api/public/blog-previews/${token}`)).status, 404);
    await later(3 * DAY + SECOND);
    assert.equal((await open(token)).status, 404);
  });
});

describe('taking a page off the site, and deleting it', () => {
  it('keeps its versions, and brings it back as it was', async () => {
    const page = await publish(await begin('withdrawn'));
    const withdrawn = (await admin.delete(path(page.id, '/publication'))).body.data;
    assert.equal(withdrawn.state, 'withdrawn');
    assert.equal((await reader.get(publicPath('withdrawn'))).status, 404);
    const refused = await admin.delete(path(page.id));
    assert.deepEqual([refused.status, refused.body.code], [409, 'was_published']);
    const back = (await admin.put(path(page.id, '/publication'))).body.data;
    assert.deepEqual([back.state, back.versions.length], ['published', 1]);
    assert.equal((await reader.get(publicPath('withdrawn'))).status, 200);
  });

  it('deletes what nobody has seen', async () => {
    const page = await begin('unseen');
    assert.equal((await admin.delete(path(page.id))).status, 204);
    assert.equal((await admin.get(path(page.id))).status, 404);
  });
});

describe('who may write legal pages', () => {
  it('is an admin with the permission; each write leaves an audit event', async () => {
    assert.equal((await reader.get(ROOT)).status, 401);
    const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await desk.get(ROOT)).status, 403);
    const events = await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_kind', '=', 'legal_page')
      .execute();
    const actions = new Set(events.map(({ action }) => action.replace('legal_pages.', '')));
    assert.deepEqual([...actions].toSorted(), [
      'created',
      'deleted',
      'moved',
      'ordered',
      'published',
      'updated',
      'withdrawn',
    ]);
  });

  it('orders all pages or none', async () => {
    const ids = (await admin.get(ROOT)).body.data.map(({ id }: Json) => id);
    const some = await admin.put(`${ROOT}/order`, { ids: ids.slice(1) });
    assert.deepEqual([some.status, some.body.code], [409, 'version_conflict']);
  });
});
