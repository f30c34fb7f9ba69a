/** Posts at the edge of what they may be, and several at one moment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { maxPostBody } from '@cambist/contract/blog';
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

it('a post is not published with an original address that cannot be read (422)', async () => {
  const post = await begin('Elsewhere');
  for (const canonical of ['https://[', 'https://x:abc']) {
    const { version } = (await admin.get(path(post.id))).body.data;
    const saved = await save({ ...post, version }, { body: '<p>x</p>', canonical });
    const { status, body } = await publish(saved.body.data);
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['canonical']], canonical);
  }
});
