/** What the console sends again under its key, since the answer was lost. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { currencyDraft, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const key = 'lost';

describe('a post that is begun', () => {
  it('is one for one key', async () => {
    const press = () => admin.post('/api/admin/blogs', { title: 'Heard once' }, { key });
    const [first, again] = await Promise.all([press(), press()]);
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    const { body } = await admin.post('/api/admin/blogs', { title: 'Heard once' });
    assert.equal(body.data.content.slug, 'heard-once-2');
  });
});

describe('a legal page', () => {
  const path = '/api/admin/legal-pages';

  it('begins and is published once for one key, whatever was saved since', async () => {
    const begin = () => admin.post(path, { title: 'Heard once' }, { key });
    const [begun, same] = [await begin(), await begin()];
    assert.deepEqual([same.status, same.body], [201, begun.body]);
    const { id, version, content } = begun.body.data;
    const save = async (at: number, body: string) => {
      const sent = { version: at, content: { ...content, body } };
      return (await admin.put(`${path}/${id}/draft`, sent)).body.data.version as number;
    };
    const ready = { version: await save(version, '<p>Text.</p>') };
    const publish = () => admin.post(`${path}/${id}/publication`, ready, { key });
    const [first, again] = await Promise.all([publish(), publish()]);
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
    await save(first.body.data.version, '<p>Next.</p>');
    const late = await publish();
    assert.equal(late.headers['idempotency-replayed'], 'true');
    assert.deepEqual([late.body.data.versions.length, late.body.data.changed], [1, true]);
    assert.equal((await admin.post(`${path}/${id}/publication`, ready)).status, 409);
  });
});

describe('a currency and a pair', () => {
  it('are added once for one key, and refused without it', async () => {
    const cases = [
      ['/api/admin/currencies', currencyDraft('once'), 'a', 422],
      ['/api/admin/currencies', currencyDraft('twice'), 'b', 422],
      ['/api/admin/pairs', pairDraft('once', 'twice'), 'c', 409],
    ] as const;
    for (const [path, draft, named, refused] of cases) {
      const [first, again] = [
        await admin.post(path, draft, { key: named }),
        await admin.post(path, draft, { key: named }),
      ];
      assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body], path);
      assert.equal((await admin.post(path, draft)).status, refused, path);
    }
  });
});
