/** Runs: their start, their requests, their effect on pairs, and their endpoints. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/factories/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, overview, pair, freshHour, usual } =
  desk;
const { fixer } = fakes;
const URL = '/api/admin/rates';
const outcomes = ({ attempts }: Json) => attempts.map((each: Json) => each.outcome);
const first = async () => (await overview()).providers[0];
const seldom = (...names: Parameters<typeof listed>) =>
  listed(...names).map((each) => ({
    ...each,
    feed: 'daily',
    monthly_quota: 100,
    cadence_hours: 8,
  }));

describe('POST /api/admin/rates/runs', () => {
  it('is refused while the synchronisation is switched off', async () => {
    const answer = await admin.post(`${URL}/runs`);
    assert.deepEqual([answer.status, answer.body.code], [409, 'rates_disabled']);
    await api.scheduler.tick(api.clock.now());
    assert.equal(fixer.requests.length, 0);
  });

  it('sends no request without a key', async () => {
    await configure();
    const { outcome, attempts } = await run();
    assert.deepEqual(
      [outcome, attempts[0].outcome, attempts[0].message],
      ['skipped', 'no_key', 'No usable key for Fixer is set.'],
    );
    assert.equal(fixer.requests.length, 0);
  });

  it('accepts the rates of one request and applies them to all automatic pairs', async () => {
    await setKey('fixer');
    const before = await pair('usd-to-gbp');
    const result = await run();
    assert.deepEqual(
      [result.outcome, result.trigger, result.actor, result.missing, result.rejections],
      ['updated', 'admin', 'Robin Okafor', [], []],
    );
    assert.deepEqual([result.accepted, fixer.requests.length], [3, 1]);
    const followed = await pair('eur-to-usd');
    assert.deepEqual(
      [followed.mid_rate, followed.mid_source, followed.mid_confirmed_at],
      ['1.094700000000000000', 'fixer', api.clock.now()],
    );
    assert.deepEqual(followed.mid_as_of, new Date('2026-03-14T12:00:00Z'));
    assert.deepEqual(followed.mid_fresh_until, new Date('2026-03-14T15:00:00Z'));
    const crossed = await pair('usd-to-gbp');
    // 0.85852 / 1.0947, truncated to 18 decimals.
    assert.equal(crossed.mid_rate, '0.784251393075728510');
    assert.equal(crossed.version, before.version);
    assert.equal((await pair('usd-to-eur')).mid_rate, '0.900000000000000000');
  });

  it('is unchanged by the same rates and confirms them', async () => {
    fixer.asOf = new Date('2026-03-14T12:00:00Z');
    api.clock.advance(HOUR);
    assert.equal((await run()).outcome, 'unchanged');
    const { id, mid_confirmed_at } = await pair('eur-to-usd');
    const rates = api.db.selectFrom('pair_rates').selectAll().where('pair_id', '=', id);
    assert.equal((await rates.execute()).length, 1);
    assert.deepEqual(mid_confirmed_at, api.clock.now());
  });

  it('runs one at a time', async () => {
    await freshHour();
    fixer.mood = 'hanging';
    const one = admin.post(`${URL}/runs`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const other = await admin.post(`${URL}/runs`);
    assert.deepEqual([other.status, other.body.code], [409, 'run_in_progress']);
    const { body } = await one;
    assert.deepEqual([body.data.outcome, outcomes(body.data)], ['failed', ['unavailable']]);
  });

  it('retries once after a broken connection', async () => {
    await freshHour();
    const before = fixer.requests.length;
    fixer.mood = 'reset';
    await run();
    assert.equal(fixer.requests.length, before + 2);
    fixer.mood = { error: 'quota' };
    await run();
    assert.equal(fixer.requests.length, before + 3);
  });

  it('fills in from the next provider with another base, and drops the rates of a former one', async () => {
    await freshHour();
    const { BTC: _btc, ...fiat } = usual;
    fixer.rates = fiat;
    await configure({ providers: listed('fixer', 'coingecko', 'openexchangerates') });
    const { outcome, missing, ...done } = await run();
    assert.deepEqual([outcome, missing, outcomes(done)], ['updated', [], ['ok', 'ok']]);
    assert.equal((await pair('btc-to-eur')).mid_source, 'coingecko + fixer');

    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates') });
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(
      (await overview()).rates.map(({ unit, base }: Json) => `${unit}/${base}`).toSorted(),
      ['BTC/USD', 'EUR/USD', 'GBP/USD'],
    );
  });
});

describe('a provider', () => {
  beforeEach(freshHour);

  it('of a daily feed confirms its rates every hour', async () => {
    const daily = fakes['exchangerate-api'];
    await setKey('exchangerate-api');
    const providers = listed('exchangerate-api').map((each) => ({ ...each, feed: 'daily' }));
    await configure({ providers });
    assert.deepEqual(outcomes(await run()), ['ok']);
    const requests = daily.requests.length;
    api.clock.advance(HOUR);
    const { outcome, attempts, accepted } = await run();
    assert.deepEqual([outcome, attempts[0].outcome, accepted], ['unchanged', 'ok', 3]);
    assert.equal(daily.requests.length, requests + 1);
    assert.deepEqual((await pair('eur-to-usd')).mid_confirmed_at, api.clock.now());
  });

  it('with a cadence of eight hours is asked three times a day, and its rates stay meanwhile', async () => {
    await configure({ providers: seldom('fixer') });
    await run();
    const receivedAt = api.clock.now();
    const before = fixer.requests.length;
    const done = await hourly();
    assert.deepEqual([done.outcome, outcomes(done)], ['unchanged', ['cadence']]);
    assert.match(done.attempts[0].message, /^By the settings Fixer is asked again at .* UTC\.$/);
    assert.equal(done.attempts[0].rates, done.accepted);
    assert.ok(done.accepted >= 3);
    assert.deepEqual((await pair('eur-to-usd')).mid_confirmed_at, receivedAt);
    const { next_turn_at, cadence_hours, quota } = await first();
    assert.equal(Date.parse(next_turn_at) % HOUR, 0);
    assert.deepEqual([quota.needed, cadence_hours], [93, 8]);
    for (let hour = 0; hour < 23; hour += 1) await hourly();
    assert.equal(fixer.requests.length, before + 3);
    assert.deepEqual(outcomes(await run()), ['ok']);
  });

  it('is replaced by the next one between its turns once its rates are stale', async () => {
    await setKey('openexchangerates');
    await configure({ providers: [...seldom('fixer'), ...listed('openexchangerates')] });
    await run();
    for (const _hour of [1, 2, 3]) assert.deepEqual(outcomes(await hourly()), ['cadence']);
    assert.deepEqual(outcomes(await hourly()), ['cadence', 'ok']);
  });

  it('that asked for a pause is not asked before, by schedule, by an admin or by a test', async () => {
    fixer.mood = { error: 'quota', status: 429, retryAfter: '7200' };
    assert.equal((await run()).outcome, 'failed');
    const until = new Date(api.clock.now().getTime() + 7200 * SECOND);
    fixer.mood = 'well';
    const before = fixer.requests.length;
    const next = await hourly();
    assert.deepEqual([next.outcome, outcomes(next)], ['skipped', ['retry_later']]);
    assert.deepEqual(outcomes(await run()), ['retry_later']);
    const test = await admin.post(`${URL}/providers/fixer/test`, {});
    assert.equal(test.body.data.outcome, 'retry_later');
    assert.equal((await first()).retry_at, until.toISOString());
    assert.equal(fixer.requests.length, before);
    api.clock.set(until);
    assert.deepEqual(outcomes(await run()), ['ok']);
    assert.equal((await first()).retry_at, null);
  });

  it('that asked for a pause is asked at once with a new key', async () => {
    fixer.mood = { error: 'quota', retryAfter: '3600' };
    await run();
    assert.notEqual((await first()).retry_at, null);
    fixer.mood = 'well';
    api.clock.advance(MINUTE);
    await setKey('fixer');
    assert.equal((await first()).retry_at, null);
    assert.deepEqual(outcomes(await run()), ['ok']);
  });

  it('that failed three times in a row is skipped, except by an admin', async () => {
    fixer.mood = { error: 'invalid_key' };
    for (const _hour of [1, 2, 3]) assert.deepEqual(outcomes(await hourly()), ['invalid_key']);
    fixer.mood = { error: 'inactive' };
    const { breaker, key } = await first();
    assert.deepEqual([breaker.state, breaker.failures, key], ['open', 3, 'refused']);
    assert.deepEqual(outcomes(await run()), ['invalid_key']);
    api.clock.advance(MINUTE);
    await setKey('fixer');
    const again = await first();
    assert.deepEqual([again.breaker.state, again.key, again.last_fetch], ['closed', 'set', null]);
  });

  it('has every digit of its rates on the page', async () => {
    for (const digits of ['1.094712345678901234', '1.204000000000000001', '1.1']) {
      fixer.rates['USD'] = digits;
      api.clock.advance(MINUTE);
      await run();
      assert.equal((await desk.accepted('USD')).rate, digits);
      const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
      assert.equal(pairs.find(({ slug }: Json) => slug === 'eur-to-usd')?.mid_rate, digits);
    }
  });
});

describe('GET /api/admin/rates', () => {
  beforeEach(freshHour);

  it('shows providers with key and quota', async () => {
    const providers = [
      { name: 'fixer', feed: 'hourly', monthly_quota: 100, cadence_hours: 1 },
      { name: 'frankfurter', feed: 'central_bank', monthly_quota: null, cadence_hours: 1 },
    ];
    await configure({ providers });
    const now = await overview();
    const [one, two] = now.providers;
    assert.deepEqual(
      [one.label, one.key, one.key_last_four, one.quota],
      ['Fixer', 'set', fixer.key.slice(-4), { plan: 100, needed: 744, used: 1 }],
    );
    assert.deepEqual([two.key, two.quota.plan], ['not_needed', null]);
    const { outcome, by, message } = one.last_fetch;
    assert.deepEqual([outcome, by, message], ['ok', 'run', 'Fixer gave 3 rates.']);
    assert.deepEqual([now.missing, now.enabled, now.last_run.outcome], [[], true, 'updated']);
  });

  it('names needed units without a rate', async () => {
    await addCurrency(admin, 'aed');
    await addPair(admin, 'aed', 'usd', { rate_mode: 'automatic' });
    assert.deepEqual((await overview()).missing, ['AED']);
    assert.deepEqual((await run()).missing, ['AED']);
  });

  it('lists runs in pages, the newest first', async () => {
    for (const _more of [1, 2]) await run();
    const one = (await admin.get(`${URL}/runs`, { query: { per_page: 2 } })).body;
    assert.equal(one.data.length, 2);
    const query = { per_page: 2, cursor: one.meta.next_cursor };
    const two = (await admin.get(`${URL}/runs`, { query })).body;
    assert.ok(two.data[0].started_at <= one.data[1].started_at);
    assert.notEqual(two.data[0].id, one.data[1].id);
    assert.equal((await admin.get(`${URL}/runs`, { query: { cursor: 'xx' } })).status, 422);
  });

  it('requires each provider once, a quota above zero, and stale after delayed, in the settings', async () => {
    const url = '/api/admin/settings/rate-api';
    const { version, value } = (await admin.get(url)).body.data;
    const errorsOf = async (changes: Json) => {
      const answer = await admin.put(url, { version, value: { ...value, ...changes } });
      assert.equal(answer.status, 422, answer.text);
      return Object.keys(answer.body.errors);
    };
    const twice = { providers: listed('fixer', 'fixer'), stale_minutes: 90 };
    assert.deepEqual(await errorsOf(twice), ['providers', 'stale_minutes']);
    for (const monthly_quota of [0, 'many']) {
      const providers = listed('fixer').map((each) => ({ ...each, monthly_quota }));
      assert.deepEqual(await errorsOf({ providers }), ['providers.0.monthly_quota']);
    }
  });
});
