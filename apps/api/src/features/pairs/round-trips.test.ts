/** Exchanges back and forth that pay the customer, told to whoever sets the prices. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { roundTrips } from './round-trips.ts';
import { findPair } from './store.ts';

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
  it('is empty while no way leads back to more than was sent', async () => {
    await addPair(admin, 'usd', 'eur', { ...none, mid_rate: '0.8' });
    await addPair(admin, 'eur', 'usd', { ...none, mid_rate: '1.25' });
    // Exactly what was sent is no gain.
    assert.deepEqual(await trips(), []);
  });

  it('finds both ways of a pair, by the exact product', async () => {
    assert.equal((await patch('eur-to-usd', { mid_rate: undefined })).status, 200);
    const { version } = (await admin.get(`${URL}/eur-to-usd`)).body.data;
    const rate = { version, mid_rate: '1.25025' };
    assert.equal((await admin.put(`${URL}/eur-to-usd/rate`, rate)).status, 200);
    assert.deepEqual(await trips(), [
      { pairs: ['eur-to-usd', 'usd-to-eur'], gain_percent: '0.0200' },
    ]);
  });

  it('names both currencies of each pair, for people', async () => {
    const [{ pairs }] = (await admin.get(`${URL}/round-trips`)).body.data;
    const words = pairs.map(({ send, receive }: Json) =>
      [send, receive].map(({ name, channel }) => `${name}, ${channel}`),
    );
    const { send, receive } = (await admin.get(`${URL}/eur-to-usd`)).body.data;
    const [euro, dollar] = [send, receive].map(({ name, channel }) => `${name}, ${channel}`);
    assert.deepEqual(words, [
      [euro, dollar],
      [dollar, euro],
    ]);
    assert.match(euro ?? '', /^\w.*, \w/);
  });

  it('counts the fees, and leaves out what is switched off', async () => {
    const fee = { receive_fee: { fixed: '0', percent: '0.05' } };
    assert.equal((await patch('eur-to-usd', fee)).status, 200);
    assert.deepEqual(await trips(), []);
    const free = { receive_fee: { fixed: '0', percent: '0' } };
    assert.equal((await patch('eur-to-usd', { ...free, active: false })).status, 200);
    assert.deepEqual(await trips(), []);
  });

  it('finds triangles, once each', async () => {
    await addPair(admin, 'eur', 'gbp', { ...none, mid_rate: '0.9' });
    await addPair(admin, 'gbp', 'usd', { ...none, mid_rate: '1.5' });
    assert.deepEqual(await trips(), [
      { pairs: ['eur-to-gbp', 'gbp-to-usd', 'usd-to-eur'], gain_percent: '8.0000' },
    ]);
  });

  it('is told of a draft before it is saved', async () => {
    const ask = async (changes: Json): Promise<Json> => {
      const body = {
        ...pairDraft('gbp', 'usd', { ...none, ...changes }),
        side: 'send',
        amount: '10',
      };
      return short((await admin.post(`${URL}/preview`, body)).body.data.round_trips);
    };
    assert.deepEqual(await ask({ mid_rate: '1.3' }), []);
    assert.deepEqual(await ask({ mid_rate: '1.4' }), [
      { pairs: ['eur-to-gbp', 'gbp-to-usd', 'usd-to-eur'], gain_percent: '0.8000' },
    ]);
  });

  it('is refused to whoever may not see the money', async () => {
    const { client } = await api.asMember();
    assert.equal((await client.get(`${URL}/round-trips`)).status, 403);
  });
});

describe('a desk of 400 pairs', () => {
  it('is searched in a moment', async () => {
    const one = await findPair(api.db, { slug: 'usd-to-eur' });
    assert.ok(one);
    const units = Array.from({ length: 21 }, (_, at) => at);
    const pairs = units.flatMap((from) =>
      units
        .filter((to) => to !== from)
        .map((to) => ({
          ...one,
          slug: `c${from}-to-c${to}`,
          mid_rate: to > from ? '0.5' : '1.99',
          send: { ...one.send, id: String(from) },
          receive: { ...one.receive, id: String(to) },
        })),
    );
    assert.equal(pairs.length, 420);
    const began = process.cpuUsage().user;
    const found = roundTrips(pairs);
    assert.ok(process.cpuUsage().user - began < 1_000_000, 'in a second of work');
    assert.equal(found.length, 20);
    assert.equal(found[0]?.gain_percent, '98.0050');
  });
});
