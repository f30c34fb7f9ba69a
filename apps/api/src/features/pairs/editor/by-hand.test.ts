/** Rates that an admin takes over from the market, or sets. */
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

describe('a rate that cannot go on by hand', () => {
  it('is one that was stale already: it must be set', async () => {
    await acceptRates(api, { GBP: '0.86' });
    await addPair(admin, 'eur', 'gbp', { rate_mode: 'automatic' });
    const days = new Date(Date.now() - 10 * 24 * HOUR);
    await api.db
      .updateTable('pairs')
      .set({ mid_as_of: days, mid_confirmed_at: days, mid_fresh_until: days })
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

  it('ends at no second that does not exist', async () => {
    for (const mid_until of ['2030-12-31T23:59:60Z', '2016-12-31T23:59:60Z']) {
      const draft = pairDraft('gbp', 'eur', { mid_rate: '1.1', mid_until });
      const answer = await admin.post(URL, draft);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), ['mid_until']);
    }
  });
});
