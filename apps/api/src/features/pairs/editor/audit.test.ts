/** The audit log of pairs, rates and currencies. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
for (const unit of ['usd', 'eur']) await addCurrency(admin, unit);
await addPair(admin, 'usd', 'eur');

const newest = async (action: string): Promise<Json> =>
  (await admin.get('/api/admin/audit', { query: { action } })).body.data[0].data;
async function edit(path: string, changes: Json) {
  const { version } = (await admin.get(path)).body.data;
  const answer = await admin.patch(path, { version, ...changes });
  assert.equal(answer.status, 200, answer.text);
}

describe('the audit log', () => {
  it('has each changed field of a pair, before and after, and no other', async () => {
    const changes = { margin_percent: '1.5', min_send: '10', tiers: [] };
    await edit('/api/admin/pairs/usd-to-eur', changes);
    assert.deepEqual(await newest('pair.updated'), {
      slug: 'usd-to-eur',
      changes: {
        margin_percent: { before: '1', after: '1.5' },
        rate: { before: '0.9108', after: '0.9062' },
      },
    });
  });

  it('has the former rate of a pair whose rate is set', async () => {
    const url = '/api/admin/pairs/usd-to-eur';
    const { version } = (await admin.get(url)).body.data;
    const answer = await admin.put(`${url}/rate`, { version, mid_rate: '0.93' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual((await newest('pair.rate_set')).changes, {
      mid_rate: { before: '0.92', after: '0.93' },
      rate: { before: '0.9062', after: '0.9160' },
    });
  });

  it('has each changed field of a currency, its accounts included', async () => {
    const url = '/api/admin/currencies/usd';
    const { payee_accounts: before } = (await admin.get(url)).body.data;
    const account = { ...before[0], label: 'Another account' };
    await edit(url, { name: 'Dollars', position: 0, payee_accounts: [account] });
    const { slug, changes } = await newest('currency.updated');
    assert.equal(slug, 'usd');
    assert.deepEqual(changes.name, { before: 'USD account', after: 'Dollars' });
    assert.deepEqual(Object.keys(changes), ['name', 'payee_accounts']);
    assert.equal(changes.payee_accounts.before[0].label, 'Desk account');
    assert.equal(changes.payee_accounts.after[0].label, 'Another account');
  });
});
