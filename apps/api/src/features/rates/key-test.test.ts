/** What a test of a key finds out beside whether it works, what can be a key, and where none may show. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, overview, freshHour, usual } = desk;
const URL = '/api/admin/rates';

async function test(provider: string, body: Json = {}): Promise<Json> {
  const answer = await admin.post(`${URL}/providers/${provider}/test`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

describe('a test of a key', () => {
  beforeEach(freshHour);

  it('says which feed the figures fit, where the settings name a faster one', async () => {
    api.clock.set(new Date('2026-03-17T09:00:20Z'));
    await configure({ providers: listed('frankfurter', 'exchangerate-api', 'fixer') });
    await setKey('exchangerate-api');
    assert.equal((await test('frankfurter')).fitting_feed, 'central_bank');
    // Fresh at this hour, but the next ones come a day later, as it says itself.
    api.clock.set(new Date('2026-03-17T00:30:20Z'));
    assert.equal((await test('exchangerate-api')).fitting_feed, 'daily');
    assert.equal((await test('fixer')).fitting_feed, null);
    const providers = listed('frankfurter').map((each) => ({ ...each, feed: 'central_bank' }));
    await configure({ providers });
    assert.equal((await test('frankfurter')).fitting_feed, null);
    // Which feed it should be is not known of one that the settings do not name.
    assert.equal((await test('exchangerate-api')).fitting_feed, null);
  });

  it('is good only where a run could believe something, and says why not', async () => {
    const { fixer } = fakes;
    const all = (rate: string) =>
      Object.fromEntries(Object.keys(usual).map((unit) => [unit, rate]));
    const told = async () => {
      const { ok, outcome, message } = await test('fixer');
      assert.equal(outcome, 'ok');
      return [ok, message];
    };
    const none = 'Fixer gave rates, and a run would believe none of them. Fixer gave';
    for (const [rate, reason] of [
      ['null', `${none} null for BTC.`],
      ['0', `${none} 0 for BTC.`],
      ['-1.2', `${none} -1.2 for BTC.`],
    ] as const) {
      fixer.rates = all(rate);
      assert.deepEqual(await told(), [false, reason]);
    }
    fixer.rates = {};
    assert.deepEqual(await told(), [false, 'Fixer gave no rate of what it was asked for.']);
    fixer.rates = { ...usual, USD: '0' };
    const [isGood, words] = await told();
    assert.equal(isGood, true);
    assert.match(
      words,
      /gave 3 rates; a run would believe 2 of them at most. Fixer gave 0 for USD.$/,
    );
    fixer.rates = { ...usual };
    assert.deepEqual(await told(), [true, 'Fixer gave 3 rates.']);
    for (const [days, reason] of [
      [60, /believe none of them. The rate of BTC from Fixer is of .*, older than 3 hours.$/],
      [-2, /believe none of them. Fixer dates its rate of BTC .*, which has not come yet.$/],
    ] as const) {
      fixer.asOf = new Date(api.clock.now().getTime() - days * DAY);
      const [ok, message] = await told();
      assert.equal(ok, false);
      assert.match(message, reason);
    }
    // Beside what is believed of it.
    fixer.asOf = new Date(api.clock.now().getTime() - 2 * HOUR);
    const [ok, message] = await told();
    assert.equal(ok, false);
    assert.match(message, /The rate of BTC from Fixer is of .*, older than its last one of .*/);
  });

  it('is none where no coin has a time that can be read', async () => {
    const body = '{"bitcoin":{"usd":60000,"last_updated_at":"soon"}}';
    fakes.coingecko.mood = { body };
    const { ok, as_of, message } = await test('coingecko');
    assert.deepEqual([ok, as_of], [false, null]);
    assert.match(message, /believe none of them. CoinGecko gave BTC without a time/);
  });

  it('asks for no rate where the desk has nothing that the provider carries, and says so', async () => {
    const empty = await startTestApi({ after }, { env: fakes.environment });
    const { client } = await empty.asAdmin();
    const body = { key: fakes.coingecko.key };
    const { data } = (await client.post(`${URL}/providers/coingecko/test`, body)).body;
    const words = 'CoinGecko answered; it was asked for no rate, since it gives none of the units';
    assert.deepEqual(
      [data.ok, data.outcome, data.message],
      [false, 'ok', `${words} of this desk.`],
    );
  });

  it('counts as a request where it reached the provider', async () => {
    const used = async () => (await overview()).providers[0].quota.used;
    const before = await used();
    await test('fixer');
    await test('fixer', { key: 'another-key' });
    fakes.fixer.mood = 'reset';
    await test('fixer');
    assert.equal(await used(), before + 3);
    await configure({ providers: listed('currencyapi') });
    assert.equal((await test('currencyapi')).outcome, 'no_key');
    assert.equal(await used(), 0);
  });

  it('closes the breaker when it is good, with the stored key only', async () => {
    const state = async () => (await overview()).providers[0].breaker.state;
    fakes.fixer.mood = { error: 'invalid_key' };
    for (let hour = 0; hour < 4; hour += 1) await hourly();
    await test('fixer');
    assert.equal(await state(), 'open');
    fakes.fixer.mood = 'well';
    assert.equal((await test('fixer', { key: fakes.fixer.key })).ok, true);
    assert.equal(await state(), 'open');
    fakes.fixer.rates = Object.fromEntries(Object.keys(usual).map((unit) => [unit, '0']));
    assert.equal((await test('fixer')).ok, false);
    assert.equal(await state(), 'open');
    fakes.fixer.rates = { ...usual };
    assert.equal((await test('fixer')).ok, true);
    assert.equal(await state(), 'closed');
    assert.equal((await hourly()).attempts[0].outcome, 'ok');
  });
});

describe('a key', () => {
  beforeEach(freshHour);

  it('counts as refused until a run or a good test of it, or another one', async () => {
    const card = async () => {
      const [{ key, failing, breaker }] = (await overview()).providers;
      return [key, failing, breaker.state];
    };
    const refuse = async () => {
      fakes.fixer.mood = { error: 'invalid_key' };
      await run();
      assert.deepEqual(await card(), ['refused', true, 'closed']);
      fakes.fixer.mood = 'well';
      api.clock.advance(MINUTE);
    };
    for (const mend of [run, () => test('fixer'), () => setKey('fixer')]) {
      await refuse();
      await mend();
      assert.deepEqual(await card(), ['set', false, 'closed']);
      api.clock.advance(MINUTE);
    }
    await refuse();
    // An answer without anything usable is one to this key, and says so on the card of every admin.
    fakes.fixer.rates = Object.fromEntries(Object.keys(usual).map((unit) => [unit, '0']));
    assert.equal((await test('fixer')).ok, false);
    assert.deepEqual(await card(), ['set', false, 'closed']);
    const [{ unusable, last_failure, last_failure_at }] = (await overview()).providers;
    assert.match(unusable, /^Fixer gave 3 figures, and none of them can be believed. Fixer gave 0/);
    assert.deepEqual([last_failure, last_failure_at], [null, null]);
    fakes.fixer.rates = { ...usual };
    await test('fixer');
    assert.equal((await overview()).providers[0].unusable, null);
    await refuse();
    const [failed] = (await overview()).providers;
    assert.ok(failed.last_failure !== null && failed.last_failure_at !== null);
    fakes.fixer.mood = 'html';
    await test('fixer');
    assert.deepEqual(await card(), ['refused', true, 'closed']);
    fakes.fixer.mood = 'well';
    // Another key says nothing of the one that is set.
    await test('fixer', { key: fakes.fixer.key });
    assert.deepEqual(await card(), ['refused', true, 'closed']);
  });

  const keep = (name: string, secret: string) =>
    admin.put(`/api/admin/settings/rate-api/secrets/${name}`, { secret });

  it('can be kept and tried where it can be sent, and nowhere else', async () => {
    for (const wrong of ['two words', 'x'.repeat(257), ' ']) {
      const kept = await keep('fixer_key', wrong);
      assert.deepEqual([kept.status, Object.keys(kept.body.errors)], [422, ['secret']], wrong);
      const tried = await admin.post(`${URL}/providers/fixer/test`, { key: wrong });
      assert.deepEqual([tried.status, Object.keys(tried.body.errors)], [422, ['key']], wrong);
    }
    assert.equal((await keep('fixer_key', 'x'.repeat(256))).status, 200);
    assert.equal((await test('fixer')).outcome, 'invalid_key');
  });

  it('cannot be given to a provider that knows none', async () => {
    assert.equal((await keep('frankfurter_key', 'abcdefgh')).status, 404);
    const { secrets } = (await admin.get('/api/admin/settings/rate-api')).body.data;
    assert.ok(!secrets.some(({ name }: Json) => name.startsWith('frankfurter')));
  });

  it('is neither shown nor stored when a provider sends it in the place of a rate', async () => {
    const { key } = fakes.fixer;
    for (const echo of [key, key.slice(0, 20), key.toUpperCase()]) {
      fakes.fixer.rates = { ...usual, USD: JSON.stringify(echo) };
      const done = await run();
      assert.deepEqual(
        done.refusals.map(({ unit, reason }: Json) => [unit, reason]),
        [['USD', 'not_a_rate']],
      );
      const rows = await api.db.selectFrom('rate_runs').selectAll().execute();
      assert.ok(
        !JSON.stringify([done, rows]).toLowerCase().includes(key.slice(0, 8).toLowerCase()),
      );
      api.clock.advance(HOUR);
    }
  });
});

describe('rows of a provider that this version does not know', () => {
  it('are shown by its raw name', async () => {
    await freshHour();
    const at = new Date(api.clock.now().getTime() + MINUTE);
    const said = { outcome: 'ok', message: '', detail: '', duration_ms: 0, rates: 0 };
    const of = { provider: 'gone', reason: 'too_old', message: '' };
    await api.db
      .insertInto('rate_runs')
      .values({
        id: newId(),
        trigger: 'schedule',
        actor_id: null,
        started_at: at,
        finished_at: at,
        outcome: 'failed',
        attempts: [{ ...said, provider: 'gone' }],
        refusals: [{ ...of, unit: 'USD' }],
      })
      .execute();
    await api.db
      .insertInto('rate_quarantine')
      .values({
        id: newId(),
        unit: 'GBP',
        base: 'EUR',
        rate: '1',
        inverted: false,
        provider: 'gone',
        reason: 'jump',
        previous_rate: '2',
        change_percent: '-50',
        as_of: at,
        created_at: at,
        seen_at: at,
      })
      .execute();
    await api.db.updateTable('market_rates').set({ provider: 'gone' }).execute();
    const runs = await admin.get(`${URL}/runs`);
    assert.equal(runs.status, 200, runs.text);
    assert.equal(runs.body.data[0].attempts[0].label, 'gone');
    const now = await overview();
    assert.equal(now.rates[0].provider, 'gone');
    const [row] = (await admin.get(`${URL}/quarantine`)).body.data;
    assert.equal(row.label, 'gone');
    const decided = await admin.post(`${URL}/quarantine/${row.id}/decision`, {
      decision: 'accept',
      rate: row.rate,
    });
    assert.equal(decided.status, 200, decided.text);
  });
});

describe('runs by hand', () => {
  it('are six in a minute at most', async () => {
    const throttled = await startTestApi({ after }, { env: { THROTTLE_SCALE: '1' } });
    const { client } = await throttled.asAdmin();
    const statuses: number[] = [];
    for (let time = 0; time < 7; time += 1)
      statuses.push((await client.post(`${URL}/runs`)).status);
    assert.deepEqual(statuses, [409, 409, 409, 409, 409, 409, 429]);
  });
});
