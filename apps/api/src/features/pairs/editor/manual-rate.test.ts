/** Manual rates: taken over from the market, or set. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/pairs';
for (const unit of ['eur', 'gbp']) await addCurrency(admin, unit);

const get = async (slug: string): Promise<Json> => (await admin.get(`${URL}/${slug}`)).body.data;
async function patch(slug: string, changes: Json) {
  const { version } = await get(slug);
  return admin.patch(`${URL}/${slug}`, { version, ...changes });
}

describe('a manual rate', () => {
  it('must be set where the market’s last rate is stale', async () => {
    await acceptRates(api, { GBP: '0.86' });
    await addPair(admin, 'eur', 'gbp', { rate_mode: 'automatic' });
    const tenDaysAgo = new Date(Date.now() - 10 * 24 * HOUR);
    await api.db
      .updateTable('pairs')
      .set({ mid_as_of: tenDaysAgo, mid_confirmed_at: tenDaysAgo, mid_fresh_until: tenDaysAgo })
      .where('slug', '=', 'eur-to-gbp')
      .execute();
    assert.equal((await get('eur-to-gbp')).state, 'stale');
    const answer = await patch('eur-to-gbp', { rate_mode: 'manual' });
    assert.equal(answer.status, 422, answer.text);
    assert.match(
      answer.body.errors.rate_mode[0],
      /cannot go on by hand: set a rate\. The provider/,
    );
    const { state, rate_mode } = await get('eur-to-gbp');
    assert.deepEqual([state, rate_mode], ['stale', 'automatic']);
    const { version } = await get('eur-to-gbp');
    const set = await admin.put(`${URL}/eur-to-gbp/rate`, { version, mid_rate: '0.86' });
    assert.deepEqual([set.body.data.state, set.body.data.rate_mode], ['live', 'manual']);
  });

  it('cannot end at a leap second', async () => {
    for (const mid_until of ['2030-12-31T23:59:60Z', '2016-12-31T23:59:60Z']) {
      const draft = pairDraft('gbp', 'eur', { mid_rate: '1.1', mid_until });
      const answer = await admin.post(URL, draft);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), ['mid_until']);
    }
  });
});
