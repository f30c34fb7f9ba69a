import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { addCurrency } from '#test/desk.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, pair, freshHour, usual } = desk;
const URL = '/api/admin/rates';

describe('POST /api/admin/rates/runs', () => {
  it('is refused while the synchronisation is switched off', async () => {
    const answer = await admin.post(`${URL}/runs`);
    assert.deepEqual([answer.status, answer.body.code], [409, 'rates_disabled']);
    await api.scheduler.tick(api.clock.now());
    assert.equal(fakes.fixer.requests.length, 0);
  });

  it('asks nobody without a key', async () => {
    await configure();
    const { outcome, attempts } = await run();
    assert.equal(outcome, 'skipped');
    assert.deepEqual(
      attempts.map((each: Json) => [each.provider, each.outcome, each.message]),
      [['fixer', 'no_key', 'No key for Fixer is set.']],
    );
    assert.equal(fakes.fixer.requests.length, 0);
  });

  it('believes what comes, in one request, and lets it flow to all automatic pairs', async () => {
    await setKey('fixer');
    const before = await pair('usd-to-gbp');
    const result = await run();
    assert.deepEqual(
      [result.outcome, result.trigger, result.actor, result.missing, result.refusals],
      ['updated', 'admin', 'Robin Okafor', [], []],
    );
    assert.equal(result.accepted, 3);
    assert.equal(fakes.fixer.requests.length, 1);
    const now = api.clock.now();
    const followed = await pair('eur-to-usd');
    assert.deepEqual(
      [followed.mid_rate, followed.mid_source, followed.mid_confirmed_at],
      ['1.094700000000000000', 'fixer', now],
    );
    assert.deepEqual(followed.mid_as_of, new Date('2026-03-14T12:00:00Z'));
    assert.deepEqual(followed.mid_fresh_until, new Date('2026-03-14T15:00:00Z'));
    const crossed = await pair('usd-to-gbp');
    // 0.85852 / 1.0947, cut after 18 decimals.
    assert.equal(crossed.mid_rate, '0.784251393075728510');
    assert.equal(crossed.version, before.version);
    assert.equal((await pair('usd-to-eur')).mid_rate, '0.900000000000000000');
    const history = await api.db
      .selectFrom('pair_rates')
      .select(['mid_rate', 'source'])
      .where('pair_id', '=', crossed.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(history.at(-1), { mid_rate: '0.784251393075728510', source: 'fixer' });
  });

  it('tells what did not change, and confirms it', async () => {
    const { requests } = fakes.fixer;
    fakes.fixer.asOf = new Date('2026-03-14T12:00:00Z');
    api.clock.advance(HOUR);
    const { outcome } = await run();
    assert.equal(outcome, 'unchanged');
    assert.equal(requests.length, 2);
    const rates = await api.db
      .selectFrom('pair_rates')
      .select('mid_rate')
      .where('pair_id', '=', (await pair('eur-to-usd')).id)
      .execute();
    assert.equal(rates.length, 1);
    assert.deepEqual((await pair('eur-to-usd')).mid_confirmed_at, api.clock.now());
    fakes.fixer.asOf = null;
  });

  it('runs one at a time, and a run that was left by its process stands in nobody’s way', async () => {
    fakes.fixer.mood = 'hanging';
    const first = admin.post(`${URL}/runs`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await admin.post(`${URL}/runs`);
    assert.deepEqual([second.status, second.body.code], [409, 'run_in_progress']);
    fakes.fixer.mood = 'well';
    const { body } = await first;
    assert.equal(body.data.outcome, 'failed');
    assert.equal(body.data.attempts[0].outcome, 'unavailable');
    await api.db
      .insertInto('rate_runs')
      .values({
        id: '01900000-0000-7000-8000-000000000000',
        trigger: 'schedule',
        started_at: new Date(api.clock.now().getTime() - 6 * MINUTE),
      })
      .execute();
    assert.equal((await run()).outcome, 'updated');
  });

  it('takes from the next provider what the first one lacks, over another base', async () => {
    await freshHour();
    const { BTC: _btc, ...fiat } = usual;
    fakes.fixer.rates = fiat;
    await configure({ providers: listed('fixer', 'coingecko', 'openexchangerates') });
    const { requests } = fakes.coingecko;
    const before = requests.length;
    const { outcome, attempts, missing } = await run();
    assert.deepEqual([outcome, missing], ['updated', []]);
    assert.deepEqual(
      attempts.map((each: Json) => [each.provider, each.outcome]),
      [
        ['fixer', 'ok'],
        ['coingecko', 'ok'],
      ],
    );
    assert.equal(requests.length, before + 1);
    assert.equal((await pair('btc-to-eur')).mid_source, 'coingecko + fixer');
  });

  it('goes on to the next provider when the first one fails', async () => {
    await freshHour();
    fakes.fixer.mood = { error: 'invalid_key' };
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    const { outcome, attempts } = await run();
    assert.equal(outcome, 'partial');
    assert.deepEqual(
      attempts.map((each: Json) => each.outcome === 'ok'),
      [false, true],
    );
    const followed = await pair('eur-to-usd');
    assert.deepEqual(
      [followed.mid_source, followed.mid_rate?.slice(0, 8)],
      ['openexchangerates', '1.094700'],
    );
    // The other base's edge would be a second, older way: it is gone.
    assert.deepEqual(
      (await overview()).rates.map(({ unit, base }: Json) => `${unit}/${base}`).toSorted(),
      ['BTC/USD', 'EUR/USD', 'GBP/USD'],
    );
  });

  it('does not ask a provider that has nothing new, whose rates count as confirmed', async () => {
    await freshHour();
    const daily = fakes['exchangerate-api'];
    await setKey('exchangerate-api');
    const providers = [
      { name: 'exchangerate-api', feed: 'daily', monthly_quota: 1500, cadence_hours: 1 },
    ];
    await configure({ providers });
    assert.equal((await run()).attempts[0].outcome, 'ok');
    const asked = daily.requests.length;
    api.clock.advance(HOUR);
    const { outcome, attempts, accepted } = await run();
    assert.deepEqual([outcome, attempts[0].outcome, accepted], ['unchanged', 'not_due', 3]);
    assert.match(attempts[0].message, /has nothing new before 2026-03-\d\d 00:00 UTC/);
    assert.equal(daily.requests.length, asked);
    assert.deepEqual((await pair('eur-to-usd')).mid_confirmed_at, api.clock.now());
    // A unit that it was not asked for yet is a reason to ask.
    await addCurrency(admin, 'pln');
    assert.equal((await run()).attempts[0].outcome, 'ok');
    assert.equal(daily.requests.length, asked + 1);
  });

  it('changes no digit of a rate on its way from the provider to the page', async () => {
    await freshHour();
    for (const digits of ['1.094712345678901234', '1.204000000000000001', '1.1']) {
      fakes.fixer.rates['USD'] = digits;
      api.clock.advance(MINUTE);
      await run();
      assert.equal((await overview()).rates.find(({ unit }: Json) => unit === 'USD').rate, digits);
      assert.equal((await admin.get('/api/admin/pairs/eur-to-usd')).body.data.mid_rate, digits);
      const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
      assert.equal(pairs.find(({ slug }: Json) => slug === 'eur-to-usd')?.mid_rate, digits);
    }
  });
});
