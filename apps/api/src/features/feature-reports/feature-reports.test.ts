import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const visitor = api.client();
const path = '/api/admin/feature-reports';
const report = (change: Json = {}) =>
  visitor.post('/api/report-features', { title: 'Dark charts', description: 'Please.', ...change });
const list = async (query = '') => (await admin.get(`${path}${query}`)).body.data;

describe('POST /api/report-features', () => {
  it('keeps what is said and nothing of who says it', async () => {
    assert.equal((await report({ page: '/rates' })).status, 201);
    const [row] = await api.db.selectFrom('feature_reports').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(row), /127\.0\.0\.1|user|session/);
    assert.deepEqual(
      (await list()).map(({ title, page, state }: Json) => [title, page, state]),
      [['Dark charts', '/rates', 'new']],
    );
  });

  it('puts aside what a machine filled in', async () => {
    assert.equal((await report({ title: 'Buy', website: 'x' })).status, 201);
    assert.ok(!(await list()).some(({ title }: Json) => title === 'Buy'));
    assert.equal((await list('?state=suspected'))[0].title, 'Buy');
    const { stamp } = (await visitor.get('/api/public/form-stamps')).body.data;
    await report({ title: 'At once', stamp });
    assert.equal((await list('?state=suspected'))[0].title, 'At once');
  });

  it('refuses what is empty or unknown (422)', async () => {
    for (const change of [{ title: ' ' }, { description: '' }, { email: 'a@b.example' }]) {
      assert.equal((await report(change)).status, 422, JSON.stringify(change));
    }
  });
});

describe('the reports', () => {
  it('are counted while they wait for somebody', async () => {
    const { counts } = (await admin.get(`${path}?state=done`)).body;
    assert.deepEqual(counts, { new: 1, planned: 0, suspected: 2 });
  });

  it('are sorted with a note, found by it, and deleted', async () => {
    const [{ id, version }] = await list();
    const change = { version, state: 'planned', note: 'With the autumn release' };
    const { body } = await admin.patch(`${path}/${id}`, change);
    assert.equal(body.data.state, 'planned');
    assert.equal((await admin.patch(`${path}/${id}`, change)).status, 409);
    assert.equal((await list('?q=autu'))[0].id, id);
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
    assert.equal((await admin.delete(`${path}/${id}`)).status, 404);
  });
});
