/** The warning about a pair that loses against its reverse. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/pairs';
for (const unit of ['usd', 'eur', 'gbp']) await addCurrency(admin, unit);
/** Each with its pairs by their slugs. */
const short = (found: Json) =>
  found.map(({ pairs, gain_percent }: Json) => ({
    pairs: pairs.map(({ slug }: Json) => slug),
    gain_percent,
  }));
const trips = async (): Promise<Json> => short((await admin.get(`${URL}/round-trips`)).body.data);
const none = { margin_percent: '0', rate_digits: 6 };

async function patch(slug: string, changes: Json) {
  const { version } = (await admin.get(`${URL}/${slug}`)).body.data;
  return admin.patch(`${URL}/${slug}`, { version, ...changes });
}

describe('GET /api/admin/pairs/round-trips', () => {
  it('is empty while no round trip pays more than was sent', async () => {
    await addPair(admin, 'usd', 'eur', { ...none, mid_rate: '0.8' });
    await addPair(admin, 'eur', 'usd', { ...none, mid_rate: '1.25' });
    // Exactly the amount sent is no gain.
    assert.deepEqual(await trips(), []);
  });

  it('compares a pair with its reverse by the exact product', async () => {
    assert.equal((await patch('eur-to-usd', { mid_rate: undefined })).status, 200);
    const { version } = (await admin.get(`${URL}/eur-to-usd`)).body.data;
    const rate = { version, mid_rate: '1.25025' };
    assert.equal((await admin.put(`${URL}/eur-to-usd/rate`, rate)).status, 200);
    assert.deepEqual(await trips(), [
      { pairs: ['eur-to-usd', 'usd-to-eur'], gain_percent: '0.0200' },
    ]);
  });

  it('includes the fees and omits pairs that are switched off', async () => {
    const fee = { receive_fee: { fixed: '0', percent: '0.05' } };
    assert.equal((await patch('eur-to-usd', fee)).status, 200);
    assert.deepEqual(await trips(), []);
    const free = { receive_fee: { fixed: '0', percent: '0' } };
    assert.equal((await patch('eur-to-usd', { ...free, active: false })).status, 200);
    assert.deepEqual(await trips(), []);
  });
});
