/** What a jump in the quarantine does to the pairs that are made of its rate, until it is decided. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { stock } from '#test/desk.ts';
import { createBody } from '#test/exchange.ts';
import { setFeeds } from '#test/feeds.ts';
import { seenNow, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, run, freshHour, usual } = desk;
for (const unit of ['eur', 'usd', 'gbp']) await stock(admin, unit, '1000000');
await setFeeds(admin, { enabled: true });

const pairOf = async (slug: string): Promise<Json> =>
  (await admin.get(`/api/admin/pairs/${slug}`)).body.data;
const statesOf = async () => {
  const pairs = await Promise.all(['eur-to-usd', 'usd-to-gbp', 'btc-to-eur'].map(pairOf));
  return pairs.map(({ state, checking }) => `${state}${checking ? ' checking' : ''}`);
};
const feed = async (): Promise<string[]> => {
  const { text } = await api.client().get('/api/public/export/rates.txt');
  return [...text.matchAll(/^([A-Z]+);([A-Z]+);/gm)].map(([, from, to]) => `${from} ${to}`);
};
const ask = (pair: string, amount = '100.00') =>
  api.client().post('/api/public/quotes', { pair, side: 'send', amount });

/** Dollars a fifth up. */
async function jump(): Promise<void> {
  fakes.fixer.rates['USD'] = '1.3136';
  assert.equal((await run()).quarantined, 1);
  await seenNow(api);
}
async function decide(decision: string): Promise<void> {
  const rows = (await admin.get('/api/admin/rates/quarantine')).body.data;
  const { id, rate } = rows.find((each: Json) => each.decision === null);
  const url = `/api/admin/rates/quarantine/${id}/decision`;
  const answer = await admin.post(url, { decision, rate });
  assert.equal(answer.status, 200, answer.text);
  await seenNow(api);
}

describe('a rate that jumped', () => {
  beforeEach(async () => {
    await freshHour();
    await seenNow(api);
  });

  it('stops the pairs that are made of it, and no others', async () => {
    assert.deepEqual(await statesOf(), ['live', 'live', 'live']);
    assert.ok((await feed()).includes('EUR USD'));
    await jump();
    assert.deepEqual(await statesOf(), ['stale checking', 'stale checking', 'live']);
    const { state_reason, mid_rate } = await pairOf('eur-to-usd');
    const { rates } = await desk.overview();
    const marked = rates.filter(({ awaits }: Json) => awaits.length > 0);
    assert.deepEqual(
      marked.map(({ unit, awaits }: Json) => [unit, awaits]),
      [['USD', ['USD']]],
    );
    assert.equal(state_reason, 'A jump of USD waits for a yes or no in the quarantine of rates.');
    assert.equal(mid_rate, usual.USD);
    const { status, body } = await ask('eur-to-usd');
    assert.deepEqual([status, body.code], [503, 'rates_stale']);
    assert.match(body.message, /moved so far that we are checking it/);
    assert.equal((await ask('btc-to-eur')).status, 200);
    const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
    const shown = pairs.find(({ slug }: Json) => slug === 'eur-to-usd');
    assert.deepEqual([shown.state, shown.checking], ['stale', true]);
    const listed = await feed();
    assert.deepEqual(
      ['EUR USD', 'USD GBP', 'BTC EUR'].map((each) => listed.includes(each)),
      [false, false, true],
    );
    // Nobody set a rate of their own meanwhile: a manual pair goes on.
    assert.equal((await ask('usd-to-eur')).status, 200);
  });

  it('leaves quotes that are held to those who hold them', async () => {
    const { token } = (await ask('usd-to-gbp')).body.data;
    await jump();
    const { client } = await api.asMember();
    const answer = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(answer.status, 201, answer.text);
  });

  it('leaves the old one believed the moment that an admin refuses it', async () => {
    const before = await pairOf('eur-to-usd');
    await jump();
    await decide('refuse');
    assert.equal(
      (await desk.believed('USD')).note,
      'An admin refused the rate that came; this one stands.',
    );
    assert.deepEqual(await statesOf(), ['live', 'live', 'live']);
    assert.equal((await pairOf('eur-to-usd')).mid_rate, before.mid_rate);
    assert.equal((await ask('usd-to-gbp')).status, 200);
  });

  it('is no question any more when the next run brings no jump', async () => {
    await jump();
    fakes.fixer.rates['USD'] = '1.0950';
    api.clock.advance(HOUR);
    assert.equal((await run()).quarantined, 0);
    await seenNow(api);
    assert.deepEqual(await statesOf(), ['live', 'live', 'live']);
  });

  it('is no hindrance to a rate that an admin sets', async () => {
    await jump();
    const { version } = await pairOf('eur-to-usd');
    const url = '/api/admin/pairs/eur-to-usd';
    const silent = await admin.patch(url, { version, rate_mode: 'manual' });
    assert.equal(silent.status, 422);
    assert.match(silent.body.errors.rate_mode[0], /set a rate\. A jump of USD waits/);
    const set = await admin.put(`${url}/rate`, { version, mid_rate: '1.2' });
    assert.deepEqual([set.body.data.state, set.body.data.checking], ['live', false]);
    const follow = { version: set.body.data.version, rate_mode: 'automatic' };
    const back = await admin.patch(url, follow);
    assert.deepEqual([back.body.data.state, back.body.data.checking], ['stale', true]);
  });

  it('is believed the moment that an admin accepts it', async () => {
    await jump();
    await decide('accept');
    assert.deepEqual(await statesOf(), ['live', 'live', 'live']);
    assert.equal((await pairOf('eur-to-usd')).mid_rate, '1.3136');
    assert.equal((await ask('eur-to-usd')).status, 200);
    assert.ok((await feed()).includes('EUR USD'));
  });
});
