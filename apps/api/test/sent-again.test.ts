/** What the console sends again under its key, since the answer was lost. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { currencyDraft, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

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
