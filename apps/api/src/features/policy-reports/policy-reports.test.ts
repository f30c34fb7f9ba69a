import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const visitor = api.client();
const report = { page: '/blog/a-post', directive: 'script-src-elem', blocked: 'inline' };
const send = (...reports: readonly unknown[]) =>
  visitor.post('/api/policy-reports', { reports: [...reports] });

describe('POST /api/policy-reports', () => {
  it('takes up to 20 reports (204)', async () => {
    assert.equal((await send(report)).status, 204);
    assert.equal((await send(...Array.from({ length: 20 }, () => report))).status, 204);
  });

  it('refuses more than 20 reports, and none (422)', async () => {
    assert.equal((await send(...Array.from({ length: 21 }, () => report))).status, 422);
    assert.equal((await send()).status, 422);
  });

  it('refuses what could tell who sent it (422)', async () => {
    for (const change of [
      { page: '/status/a-secret' },
      { page: '/blog?q=x' },
      { page: '/blog/preview/a-secret' },
      { blocked: 'https://evil.test/path?with=words' },
      { directive: 'script-src; x' },
      { sample: 'alert(1)' },
    ]) {
      assert.equal((await send({ ...report, ...change })).status, 422, JSON.stringify(change));
    }
  });
});
