/** The test of a provider's key: its result, its stored state, and that the key is never shown. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/factories/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, overview, freshHour, usual } = desk;
const { fixer } = fakes;
const URL = '/api/admin/rates';
const all = (rate: string) => Object.fromEntries(Object.keys(usual).map((unit) => [unit, rate]));

async function test(provider: string, body: Json = {}): Promise<Json> {
  const answer = await admin.post(`${URL}/providers/${provider}/test`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const card = async () => (await overview()).providers[0];

beforeEach(freshHour);

describe('a test of a key', () => {
  it('uses the stored key or a given one, and stores neither key nor rates', async () => {
    const before = await overview();
    const well = await test('fixer');
    assert.deepEqual([well.ok, well.outcome, well.message], [true, 'ok', 'Fixer gave 3 rates.']);
    const wrong = await test('fixer', { key: 'wrong-key-0123456789abcdef' });
    assert.deepEqual(
      [wrong.ok, wrong.outcome, wrong.message],
      [false, 'invalid_key', 'Fixer did not accept the key.'],
    );
    assert.ok(!JSON.stringify(wrong).includes('0123456789abcdef'));
    const now = await overview();
    assert.deepEqual(now.rates, before.rates);
    const [{ quota, key, last_fetch }] = now.providers;
    assert.equal(quota.used, before.providers[0].quota.used + 2);
    assert.deepEqual([key, last_fetch.by, last_fetch.outcome], ['set', 'test', 'ok']);
  });

  it('sends no request without a key, and needs none where the provider needs none', async () => {
    assert.equal((await test('currencyapi')).outcome, 'no_key');
    assert.equal((await test('frankfurter')).outcome, 'ok');
    assert.equal((await admin.post(`${URL}/providers/unknown/test`, {})).status, 404);
  });

  it('is good only where a run could use a rate, and says why not', async () => {
    const seen = async () => {
      const { ok, outcome, message } = await test('fixer');
      assert.equal(outcome, 'ok');
      return [ok, message];
    };
    fixer.rates = all('0');
    const unusable = 'Fixer gave 3 rates, and none could be used. Fixer gave 0 for BTC.';
    assert.deepEqual(await seen(), [false, unusable]);
    assert.deepEqual([(await card()).last_fetch.outcome], ['unusable']);
    fixer.rates = {};
    assert.deepEqual(await seen(), [false, 'Fixer gave no rate of what it was asked for.']);
    fixer.rates = { ...usual, USD: '0' };
    assert.deepEqual(await seen(), [true, 'Fixer gave 2 rates, and 1 that could not be used.']);
    fixer.rates = { ...usual };
    fixer.asOf = new Date(api.clock.now().getTime() - 4 * HOUR);
    assert.match((await seen())[1], /none could be used\. .* older than 3 hours\.$/);
  });

  it('closes the breaker when it is good, with the stored key only', async () => {
    const state = async () => (await card()).breaker.state;
    fixer.mood = { error: 'invalid_key' };
    for (let hour = 0; hour < 3; hour += 1) await hourly();
    await test('fixer');
    assert.equal(await state(), 'open');
    fixer.mood = 'well';
    assert.equal((await test('fixer', { key: fixer.key })).ok, true);
    assert.equal(await state(), 'open');
    fixer.rates = all('0');
    await test('fixer');
    assert.equal(await state(), 'open');
    fixer.rates = { ...usual };
    assert.equal((await test('fixer')).ok, true);
    assert.equal(await state(), 'closed');
    assert.equal((await hourly()).attempts[0].outcome, 'ok');
  });
});

describe('a key', () => {
  it('counts as refused until it was accepted, or another one was set', async () => {
    for (const mend of [run, () => test('fixer'), () => setKey('fixer')]) {
      fixer.mood = { error: 'invalid_key' };
      await run();
      assert.equal((await card()).key, 'refused');
      fixer.mood = 'html';
      await test('fixer');
      assert.equal((await card()).key, 'refused');
      fixer.mood = 'well';
      api.clock.advance(MINUTE);
      await mend();
      assert.equal((await card()).key, 'set');
      api.clock.advance(MINUTE);
    }
  });

  it('is accepted in the settings only where it can be sent', async () => {
    const put = (name: string, secret: string) =>
      admin.put(`/api/admin/settings/rate-api/secrets/${name}`, { secret });
    for (const wrong of ['two words', 'x'.repeat(257), ' ']) {
      assert.equal((await put('fixer_key', wrong)).status, 422, wrong);
      const tried = await admin.post(`${URL}/providers/fixer/test`, { key: wrong });
      assert.deepEqual([tried.status, Object.keys(tried.body.errors)], [422, ['key']], wrong);
    }
    assert.equal((await put('frankfurter_key', 'abcdefgh')).status, 404);
  });

  it('is in no answer, audit event or row, even where the provider repeats it', async () => {
    const { openexchangerates } = fakes;
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    fixer.mood = { error: 'invalid_key' };
    openexchangerates.rates['GBP'] = JSON.stringify(openexchangerates.key);
    await run();
    const answers = [URL, `${URL}/runs`, '/api/admin/settings/rate-api'];
    const tables = [
      'audit_events',
      'rate_runs',
      'rate_provider_states',
      'setting_secrets',
    ] as const;
    const texts = [
      ...(await Promise.all(answers.map(async (url) => (await admin.get(url)).text))),
      ...(await Promise.all(
        tables.map(async (table) =>
          JSON.stringify(await api.db.selectFrom(table).selectAll().execute()),
        ),
      )),
    ];
    for (const text of texts) {
      assert.ok(text.length > 2);
      for (const { key } of [fixer, openexchangerates]) assert.ok(!text.includes(key));
    }
    openexchangerates.rates['GBP'] = '0.78425';
  });
});
