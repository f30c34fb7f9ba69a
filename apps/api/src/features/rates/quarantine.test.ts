/** A rate in quarantine: its effect on pairs, the decision, and its repetition. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { stock } from '#test/desk.ts';
import { createBody } from '#test/factories/exchange.ts';
import { setFeeds } from '#test/factories/feeds.ts';
import { listed, seenNow, startRatesDesk } from '#test/factories/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, freshHour, usual, accepted } = desk;
const { fixer } = fakes;
const URL = '/api/admin/rates/quarantine';
for (const unit of ['eur', 'usd', 'gbp']) await stock(admin, unit, '10000000');
await setFeeds(admin, { enabled: true });

const waiting = async (): Promise<Json[]> => (await admin.get(URL)).body.data;
const decide = (id: string, decision: string, rate: string) =>
  admin.post(`${URL}/${id}/decision`, { decision, rate });
const pairOf = async (slug: string): Promise<Json> =>
  (await admin.get(`/api/admin/pairs/${slug}`)).body.data;
const states = async () => {
  const pairs = await Promise.all(['eur-to-usd', 'usd-to-gbp', 'btc-to-eur'].map(pairOf));
  return pairs.map(({ state, checking }) => `${state}${checking ? ' checking' : ''}`);
};
const feed = async (): Promise<string[]> => {
  const { text } = await api.client().get('/api/public/export/rates.txt');
  return [...text.matchAll(/^([A-Z]+);([A-Z]+);/gm)].map(([, from, to]) => `${from} ${to}`);
};
const askQuote = (pair: string, amount = '100.00') =>
  api.client().post('/api/public/quotes', { pair, side: 'send', amount });

/** Raises dollars by a fifth. */
async function jump(rate = '1.3136'): Promise<Json> {
  fixer.rates['USD'] = rate;
  assert.equal((await run()).quarantined, 1);
  await seenNow(api);
  const [question, ...others] = await waiting();
  assert.deepEqual(others, []);
  return question;
}
async function decideNow(decision: 'accept' | 'reject'): Promise<void> {
  const [{ id, rate }] = (await waiting()) as [Json];
  const answer = await decide(id, decision, rate);
  assert.equal(answer.status, 204, answer.text);
  await seenNow(api);
}
beforeEach(async () => {
  await freshHour();
  await seenNow(api);
});

describe('a rate in quarantine', () => {
  it('stops the pairs that use it, and no others', async () => {
    assert.deepEqual(await states(), ['live', 'live', 'live']);
    assert.ok((await feed()).includes('EUR USD'));
    await jump();
    assert.deepEqual(await states(), ['stale checking', 'stale checking', 'live']);
    const { state_reason, mid_rate } = await pairOf('eur-to-usd');
    assert.equal(state_reason, 'A jump of USD waits for a decision in the quarantine of rates.');
    assert.equal(mid_rate, usual.USD);
    assert.deepEqual((await accepted('USD')).awaits, ['USD']);
    const { status, body } = await askQuote('eur-to-usd');
    assert.deepEqual([status, body.code], [503, 'rates_stale']);
    assert.match(body.message, /moved so far that we are checking it/);
    assert.equal((await askQuote('btc-to-eur')).status, 200);
    const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
    const shown = pairs.find(({ slug }: Json) => slug === 'eur-to-usd');
    assert.deepEqual([shown.state, shown.checking], ['stale', true]);
    const listedPairs = await feed();
    assert.deepEqual(
      ['EUR USD', 'USD GBP', 'BTC EUR'].map((each) => listedPairs.includes(each)),
      [false, false, true],
    );
    // A pair with a manual rate is unaffected.
    assert.equal((await askQuote('usd-to-eur')).status, 200);
  });

  it('stops them too with a provider of another base', async () => {
    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates') });
    fakes.openexchangerates.rates['EUR'] = '0.7';
    await run();
    await seenNow(api);
    assert.deepEqual(
      (await waiting()).map(({ unit, base }) => `${unit} ${base}`),
      ['EUR USD'],
    );
    assert.equal((await states())[0], 'stale checking');
    fakes.openexchangerates.rates['EUR'] = '0.913492';
  });

  it('does not invalidate earlier quotes', async () => {
    const { token } = (await askQuote('usd-to-gbp')).body.data;
    await jump();
    const { client } = await api.asMember();
    const answer = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(answer.status, 201, answer.text);
  });

  it('is one question per unit, whose rate the next run replaces', async () => {
    const first = await jump();
    api.clock.advance(HOUR);
    fixer.rates['USD'] = '1.4';
    await run();
    const [next, ...others] = await waiting();
    assert.deepEqual([next?.id, next?.rate, others], [first.id, '1.4', []]);
    const answer = await decide(first.id, 'accept', '1.3136');
    assert.deepEqual([answer.status, answer.body.code], [409, 'rate_changed']);
  });

  it('is withdrawn when the provider gives a good rate or is removed from the settings', async () => {
    const first = await jump();
    fixer.rates['USD'] = '1.0950';
    api.clock.advance(HOUR);
    assert.equal((await run()).quarantined, 0);
    await seenNow(api);
    assert.deepEqual(await states(), ['live', 'live', 'live']);
    const answer = await decide(first.id, 'accept', '1.3136');
    assert.deepEqual([answer.status, answer.body.code], [409, 'rate_changed']);

    await jump();
    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates') });
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(await waiting(), []);
  });

  it('stays while its provider is down, even if the next one has a rate', async () => {
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    await jump();
    fixer.mood = 'reset';
    api.clock.advance(HOUR);
    await run();
    assert.equal((await waiting()).length, 1);
    assert.equal((await accepted('USD')).rate, usual.USD);
    await decideNow('reject');
    await run();
    assert.equal((await accepted('EUR')).provider, 'openexchangerates');
  });

  it('does not prevent a manual rate', async () => {
    await jump();
    const { version } = await pairOf('eur-to-usd');
    const url = '/api/admin/pairs/eur-to-usd';
    const refused = await admin.patch(url, { version, rate_mode: 'manual' });
    assert.equal(refused.status, 422);
    assert.match(refused.body.errors.rate_mode[0], /set a rate\. A jump of USD waits/);
    const set = await admin.put(`${url}/rate`, { version, mid_rate: '1.2' });
    assert.deepEqual([set.body.data.state, set.body.data.checking], ['live', false]);
    const follow = { version: set.body.data.version, rate_mode: 'automatic' };
    const back = await admin.patch(url, follow);
    assert.deepEqual([back.body.data.state, back.body.data.checking], ['stale', true]);
  });
});

describe('POST /api/admin/rates/quarantine/{id}/decision', () => {
  it('accepts the rate at once and measures later moves from it', async () => {
    await jump('1094.7');
    await decideNow('accept');
    assert.deepEqual(await states(), ['live', 'live', 'live']);
    assert.equal((await pairOf('eur-to-usd')).mid_rate, '1094.7');
    assert.ok((await feed()).includes('EUR USD'));
    api.clock.advance(HOUR);
    assert.equal((await run()).quarantined, 0);
    const [event] = await api.db
      .selectFrom('audit_events')
      .select(['subject_id', 'data'])
      .where('action', '=', 'rate.accepted')
      .orderBy('id', 'desc')
      .execute();
    assert.deepEqual([event?.subject_id, event?.data?.['reason']], ['USD', 'jump']);
  });

  it('rejects the rate, which is not questioned again for a day, and keeps the last one', async () => {
    await jump();
    await decideNow('reject');
    assert.deepEqual(await states(), ['live', 'live', 'live']);
    assert.equal((await pairOf('eur-to-usd')).mid_rate, usual.USD);
    api.clock.advance(HOUR);
    fixer.rates['USD'] = '1.32';
    const { quarantined, rejections } = await run();
    assert.deepEqual([quarantined, rejections[0].reason], [0, 'rejected_before']);
    assert.match(rejections[0].message, /^An admin rejected 1\.32 for USD in EUR from Fixer/);
    // A different rate is a new question, and so is the same one a day later.
    fixer.rates['USD'] = '1.6';
    assert.equal((await run()).quarantined, 1);
    fixer.rates['USD'] = usual.USD;
    await run();
    api.clock.advance(DAY);
    await jump();
  });

  it('answers 409 for a decided rate and 404 for an unknown one', async () => {
    const { id, rate } = await jump();
    await decideNow('reject');
    const again = await decide(id, 'accept', rate);
    assert.deepEqual([again.status, again.body.code], [409, 'already_decided']);
    const unknown = '01900000-0000-7000-8000-000000000000';
    assert.equal((await decide(unknown, 'accept', rate)).status, 404);
  });

  it('accepts one of two concurrent decisions', async () => {
    const { id, rate } = await jump();
    const answers = await Promise.all([
      decide(id, 'accept', rate),
      decide(id, 'reject', rate),
      decide(id, 'accept', rate),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409, 409]);
  });

  it('is respected by a run in progress', async () => {
    const { id, rate } = await jump();
    api.clock.advance(MINUTE);
    fixer.mood = { wellAfter: () => decide(id, 'reject', rate) };
    const { quarantined, rejections } = await run();
    assert.deepEqual([quarantined, rejections[0].reason], [0, 'rejected_before']);
  });
});
