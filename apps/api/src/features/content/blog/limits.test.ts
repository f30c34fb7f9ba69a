/** Posts at the edge of what they may be, and several at one moment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { maxPostBody } from '@cambist/contract/blog';
import { sql } from 'kysely';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const reader = api.client();

const path = (id: string, rest = '') => `/api/admin/blogs/${id}${rest}`;
const create = (title: string) => admin.post('/api/admin/blogs', { title });
const begin = async (title: string): Promise<Json> => (await create(title)).body.data;
const save = ({ id, version, content }: Json, change: Json) =>
  admin.put(path(id, '/draft'), { version, content: { ...content, ...change } });
const publish = ({ id, version }: Json) =>
  admin.post(path(id, '/publication'), { version, publish_at: null });

/** Four bytes each, and as long as may be. */
const longest = `<p>${'𠀀'.repeat(maxPostBody - '<p></p>'.length)}</p>`;

describe('a long post', () => {
  it('may have all its characters in any script, and be published', async () => {
    const saved = await save(await begin('Long'), { body: longest });
    assert.equal(saved.status, 200, saved.text.slice(0, 200));
    const published = await publish(saved.body.data);
    assert.equal(published.status, 200, published.text.slice(0, 200));
    assert.equal((await reader.get('/api/public/blogs/long')).body.data.body, longest);
  });

  it('is counted after cleaning (422)', async () => {
    const link = '<a href="https://a.test/">a</a>';
    const body = `<p>${link.repeat(Math.floor((maxPostBody - 7) / link.length))}</p>`;
    const answer = await save(await begin('Longer'), { body });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.errors, {
      'content.body': ['The content body must not be greater than 150000 characters.'],
    });
  });

  it('that is too long since before opens, and is made shorter', async () => {
    const { id } = await begin('Longest');
    const body = `<p>${'x'.repeat(maxPostBody)}</p>`;
    await sql`
      update posts set body = ${body}, published_at = now(),
        draft = draft || jsonb_build_object('body', ${body}::text) where id = ${id}`.execute(
      api.db,
    );
    const open = await admin.get(path(id));
    assert.equal(open.status, 200);
    assert.equal(open.body.data.published.body.length, body.length);
    assert.equal((await save(open.body.data, { body: '<p>x</p>' })).status, 200);
  });
});

describe('a planned post', () => {
  it('is planned for no later than five years from now', async () => {
    const { data: post } = (await save(await begin('Some day'), { body: '<p>Words.</p>' })).body;
    const at = (publish_at: string) =>
      admin.post(path(post.id, '/publication'), { version: post.version, publish_at });
    const far = new Date(api.clock.now());
    far.setUTCFullYear(far.getUTCFullYear() + 5, far.getUTCMonth(), far.getUTCDate() + 1);
    for (const time of [far.toISOString(), '2099-01-01T00:00:00Z']) {
      const { status, body } = await at(time);
      assert.equal(status, 422);
      assert.deepEqual(body.errors, { publish_at: ['Choose a time within the next 5 years.'] });
    }
    assert.equal((await at('9999-12-31T00:00:00Z')).status, 422);
    far.setUTCDate(far.getUTCDate() - 2);
    assert.equal((await at(far.toISOString())).body.data.state, 'scheduled');
  });
});

describe('at one moment', () => {
  it('four posts of one title begin, each at an address of its own', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => create('Twins')));
    assert.deepEqual(all.map(({ body }) => body.data?.content.slug).toSorted(), [
      'twins',
      'twins-2',
      'twins-3',
      'twins-4',
    ]);
  });

  it('one of three posts is published at an address, the others are told (422)', async () => {
    const posts: Json[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const saved = await save(await begin(title), { slug: 'one-place', body: '<p>x</p>' });
      posts.push(saved.body.data);
    }
    const all = await Promise.all(posts.map(publish));
    assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 422, 422]);
    assert.ok(all.find(({ status }) => status === 422)?.body.errors.slug);
  });
});

it('a second post of a title whose address would end in a hyphen has a whole one', async () => {
  const title = `${'a'.repeat(74)} bcdefgh`;
  assert.equal((await begin(title)).content.slug, `${'a'.repeat(74)}-bcdef`);
  assert.equal((await begin(title)).content.slug, `${'a'.repeat(74)}-2`);
});

it('structured data deeper than the stack is refused, and previewed without (422)', async () => {
  const head_script = `{"@context":"https://schema.org","a":${'['.repeat(9900)}${']'.repeat(9900)}}`;
  const saved = await save(await begin('Deep'), { body: '<p>x</p>', head_script });
  const refused = await publish(saved.body.data);
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['head_script']]);
  const link = await admin.post(path(saved.body.data.id, '/preview-link'));
  const token = link.body.data.url.split('/').at(-1);
  assert.equal((await reader.get(`/api/public/blog-previews/${token}`)).status, 200);
});
