/** A jump of a unit of which nothing is believed: pairs go on with a last rate that it puts in doubt. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addPair, stock } from '#test/desk.ts';
import { setFeeds } from '#test/feeds.ts';
import { seenNow, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, run, overview, usual, configure, setKey } = desk;
for (const unit of ['eur', 'usd', 'gbp']) await stock(admin, unit, '1000000');
await addPair(admin, 'gbp', 'usd', { mid_rate: '1.2751' });
await setFeeds(admin, { enabled: true });
await setKey('fixer');
await configure();

const urlOf = (slug: string) => `/api/admin/pairs/${slug}`;
const pairOf = async (slug: string): Promise<Json> => (await admin.get(urlOf(slug))).body.data;
const ask = (pair: string) =>
  api.client().post('/api/public/quotes', { pair, side: 'send', amount: '100.00' });
const isInFeed = async (from: string, to: string): Promise<boolean> => {
  const { text } = await api.client().get('/api/public/export/rates.txt');
  return text.includes(`\n${from};${to};`) || text.startsWith(`${from};${to};`);
};
async function patch(slug: string, changes: Json) {
  const { version } = await pairOf(slug);
  return admin.patch(urlOf(slug), { version, ...changes });
}
const waiting = async (): Promise<Json> =>
  (await admin.get('/api/admin/rates/quarantine')).body.data.find(
    (each: Json) => each.decision === null,
  );
async function decide(decision: string): Promise<void> {
  const { id, rate } = await waiting();
  const url = `/api/admin/rates/quarantine/${id}/decision`;
  const answer = await admin.post(url, { decision, rate });
  assert.equal(answer.status, 200, answer.text);
}
/** Nothing is believed, both pairs go on with what was typed for them, and the first run jumps. */
async function jump(follow: Json): Promise<void> {
  for (const table of [
    'market_rates',
    'market_past',
    'pair_rates',
    'rate_quarantine',
    'market_questions',
    'rate_provider_states',
  ] as const)
    await api.db.deleteFrom(table).execute();
  for (const slug of ['usd-to-eur', 'gbp-to-usd']) {
    const rate = slug === 'usd-to-eur' ? '0.9' : '1.2751';
    const { version } = await pairOf(slug);
    const set = { version, mid_rate: rate };
    let answer = await admin.put(`${urlOf(slug)}/rate`, set);
    if (answer.status === 409)
      answer = await admin.put(`${urlOf(slug)}/rate`, {
        ...set,
        confirm_rate: answer.body.rate_change.to,
      });
    assert.equal(answer.status, 200, answer.text);
  }
  assert.equal((await patch('gbp-to-usd', follow)).status, 200);
  assert.equal((await pairOf('gbp-to-usd')).state, 'live');
  fakes.fixer.rates = { ...usual, USD: '1.6' };
  assert.equal((await run()).quarantined, 1);
}

const ways: readonly [string, Json][] = [
  ['an automatic pair', { rate_mode: 'automatic' }],
  ['a formula pair', { rate_mode: 'formula', formula: 'gbp/usd' }],
];
for (const [what, follow] of ways) {
  describe(`${what} whose unit jumps before anything is believed of it`, () => {
    beforeEach(async () => {
      api.clock.advance(HOUR);
      await jump(follow);
    });

    it('is stale, gives no quotes, is in no feed and cannot go on by hand', async () => {
      const { state, checking, state_reason, mid_rate } = await pairOf('gbp-to-usd');
      assert.deepEqual([state, checking, mid_rate], ['stale', true, '1.2751']);
      assert.match(state_reason, /^A jump of USD waits/);
      const { status, body } = await ask('gbp-to-usd');
      assert.deepEqual([status, body.code], [503, 'rates_stale']);
      assert.deepEqual([await isInFeed('GBP', 'USD'), await isInFeed('USD', 'EUR')], [false, true]);
      const silent = await patch('gbp-to-usd', { rate_mode: 'manual' });
      assert.equal(silent.status, 422, silent.text);
      assert.match(silent.body.errors.rate_mode[0], /A jump of USD waits/);
      // Nobody is told that no provider gives what just waits.
      assert.deepEqual((await overview()).missing, []);
      // Whoever turns to the market now is in the same doubt.
      const turned = await patch('usd-to-eur', { rate_mode: 'automatic' });
      assert.deepEqual([turned.body.data.state, turned.body.data.checking], ['stale', true]);
      await run();
      assert.equal((await pairOf('gbp-to-usd')).checking, true);
    });

    it('takes the rate the moment that an admin accepts it', async () => {
      await decide('accept');
      await seenNow(api);
      const { state, checking, mid_rate } = await pairOf('gbp-to-usd');
      assert.deepEqual([state, checking], ['live', false]);
      assert.match(mid_rate, /^1\.86/);
      assert.equal((await ask('gbp-to-usd')).status, 200);
    });

    it('goes on with its last one the moment that an admin refuses it', async () => {
      await decide('refuse');
      await seenNow(api);
      const { state, checking, mid_rate } = await pairOf('gbp-to-usd');
      assert.deepEqual([state, checking, mid_rate], ['live', false, '1.2751']);
      assert.equal((await ask('gbp-to-usd')).status, 200);
      assert.equal(await isInFeed('GBP', 'USD'), true);
    });
  });
}
