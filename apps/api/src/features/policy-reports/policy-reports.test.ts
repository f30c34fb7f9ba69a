import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { policyReports } from './routes.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const visitor = api.client();
const kind = { page: '/blog/a-post', directive: 'script-src-elem', blocked: 'inline' };
const send = (...reports: readonly unknown[]) =>
  visitor.post('/api/policy-reports', { reports: [...reports] });
const list = async () => (await admin.get('/api/admin/policy-reports')).body.data;

describe('POST /api/policy-reports', () => {
  it('counts each kind, and keeps nothing of who met it', async () => {
    assert.equal((await send(kind, kind)).status, 204);
    assert.equal((await send(kind)).status, 204);
    const [row, ...others] = await api.db.selectFrom('policy_reports').selectAll().execute();
    assert.equal(others.length, 0);
    const { first_at, last_at, ...kept } = row ?? {};
    assert.deepEqual(kept, { ...kind, times: 2 });
    assert.ok(first_at && last_at && first_at <= last_at);
  });

  it('refuses what could tell more (422)', async () => {
    for (const change of [
      { page: '/status/a-secret' },
      { page: '/blog?q=x' },
      { page: '/blog/preview/a-secret' },
      { blocked: 'https://evil.test/path?with=words' },
      { directive: 'script-src; x' },
      { sample: 'alert(1)' },
    ]) {
      assert.equal((await send({ ...kind, ...change })).status, 422, JSON.stringify(change));
    }
    assert.equal((await send()).status, 422);
    assert.equal((await send(...Array.from({ length: 21 }, () => kind))).status, 422);
  });

  it('keeps 200 kinds, and goes on counting those', async () => {
    for (let from = 0; from < 220; from += 20) {
      const pages = Array.from({ length: 20 }, (_, index) => ({
        ...kind,
        page: `/p${from + index}`,
      }));
      assert.equal((await send(...pages)).status, 204);
    }
    await send(kind);
    const counts = await list();
    assert.equal(counts.length, 200);
    assert.equal(counts[0].page, '/blog/a-post');
    assert.equal(counts[0].times, 3);
  });
});

describe('GET /api/admin/policy-reports', () => {
  it('is for admins who may change settings', async () => {
    assert.equal((await visitor.get('/api/admin/policy-reports')).status, 401);
    const { client } = await api.asAdmin({ permissions: ['content'] });
    assert.equal((await client.get('/api/admin/policy-reports')).status, 403);
  });

  it('forgets what has not happened for thirty days', async () => {
    const { clock } = api.deps;
    await api.db
      .updateTable('policy_reports')
      .set({ last_at: new Date(clock().getTime() - 31 * DAY) })
      .where('page', '!=', '/blog/a-post')
      .execute();
    const [task] = policyReports.tasks?.(api.deps) ?? [];
    await task?.run(clock(), AbortSignal.timeout(5000));
    assert.deepEqual(
      (await list()).map(({ page }: { page: string }) => page),
      ['/blog/a-post'],
    );
  });
});

describe('a fault of very many posts', () => {
  it('is counted for twenty of them and then together, and leaves room for others', async () => {
    await api.db.deleteFrom('policy_reports').execute();
    const posts = Array.from({ length: 240 }, (_, n) => ({ ...kind, page: `/blog/post-${n}` }));
    for (let from = 0; from < posts.length; from += 20) {
      assert.equal((await send(...posts.slice(from, from + 20))).status, 204);
    }
    const others = [
      { ...kind, page: '/signin' },
      { ...kind, page: '/blog/post-99', directive: 'img-src' },
      { ...kind, page: '/rates/eur-usd' },
    ];
    // One that is told apart already goes on being counted so.
    assert.equal((await send(...others, { ...kind, page: '/blog/post-3' })).status, 204);
    const counts = new Map(
      (await list()).map(({ page, directive, times }: Json) => [`${page} ${directive}`, times]),
    );
    assert.equal(counts.size, 24);
    assert.equal(counts.get('/blog script-src-elem'), 220);
    assert.equal(counts.get('/blog/post-3 script-src-elem'), 2);
    for (const { page, directive } of others) assert.equal(counts.get(`${page} ${directive}`), 1);
  });
});
