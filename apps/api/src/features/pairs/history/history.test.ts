import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { readMarket, writeRates } from '#features/rates/market/market.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { listRatesQuery } from './store.ts';
import { applyMarketRates } from '../market-rates.ts';
import { importHistory } from '../pairs.ts';
import { findPair } from '../store.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2 });
await addCurrency(admin, 'jpy', { position: 3, decimals: 0 });
await addCurrency(admin, 'cash', { position: 4 });
await addCurrency(admin, 'coin', { position: 5 });
await addPair(admin, 'usd', 'eur', { mid_rate: '0.920000000000000001' });
await addPair(admin, 'eur', 'usd', { mid_rate: '1.1' });
await addPair(admin, 'usd', 'jpy', { mid_rate: '150', active: false });

const started = Date.now();
const ago = (ms: number) => new Date(started - ms);

await transaction(api.db, (tx) =>
  importHistory(tx, 'usd-to-eur', [
    { mid_rate: '0.5', as_of: ago(200 * DAY) },
    { mid_rate: '0.8', as_of: ago(40 * DAY) },
    { mid_rate: '0.9', as_of: ago(3 * DAY) },
    { mid_rate: '0.91', as_of: ago(20 * HOUR) },
  ]),
);

/** Without the cached answers, since these tests write rates directly. */
async function history(pair: string, range?: string): Promise<Json> {
  await transaction(api.db, (tx) => api.deps.published.changed(tx, 'rates-showcase'));
  const query = range === undefined ? '' : `?range=${range}`;
  return api.client().get(`/api/public/rates/${pair}${query}`);
}
const rates = ({ body }: Json) => body.data.points.map(({ rate }: Json) => rate);
const now = '0.920000000000000001';

describe('GET /api/public/rates/{pair}', () => {
  it('begins with the rate in force and has every digit', async () => {
    const { status, body } = await history('usd-to-eur', 'day');
    assert.equal(status, 200);
    assert.deepEqual(rates({ body }), ['0.9', '0.91', now]);
    const { points, last, high, low, change, rate, state } = body.data;
    assert.equal(points[0].at, ago(3 * DAY).toISOString());
    assert.deepEqual(last, points[2]);
    assert.equal(points[2].source, 'manual');
    assert.deepEqual([high, low, change], [now, '0.9', '2.22']);
    assert.deepEqual([rate, state], ['0.9108', 'live']);
    assert.deepEqual([body.data.send.unit, body.data.receive.unit], ['USD', 'EUR']);
    assert.equal(Date.parse(body.data.until) - Date.parse(body.data.since), DAY);
  });

  it('covers a week by default, or a month or a year', async () => {
    const week = await history('usd-to-eur');
    assert.equal(week.body.data.range, 'week');
    assert.deepEqual(rates(week), ['0.8', '0.9', '0.91', now]);
    const month = await history('usd-to-eur', 'month');
    assert.deepEqual(rates(month), ['0.8', '0.9', '0.91', now]);
    const year = (await history('usd-to-eur', 'year')).body.data;
    assert.deepEqual([year.low, year.change], ['0.5', '84.00']);
    assert.equal((await history('usd-to-eur', 'decade')).status, 422);
  });

  it('has no rates of a paused pair', async () => {
    const { status, body } = await history('usd-to-jpy');
    assert.equal(status, 200);
    assert.equal(body.data.state, 'paused');
    assert.equal(body.data.rate, null);
    assert.deepEqual([body.data.points, body.data.last, body.data.high], [[], null, null]);
  });

  it('answers 404 for an unknown pair and for a currency that is switched off', async () => {
    assert.equal((await history('usd-to-usd')).status, 404);
    assert.equal((await history('nowhere')).status, 404);
    const { version } = (await admin.get('/api/admin/currencies/jpy')).body.data;
    await admin.patch('/api/admin/currencies/jpy', { version, active: false });
    assert.equal((await history('usd-to-jpy')).status, 404);
  });

  it('orders rates by the time they came into force here, and has the provider’s time too', async () => {
    const bank = await addPair(admin, 'eur', 'cash', { rate_mode: 'automatic' });
    assert.equal(bank.mid_rate, null);
    // The hourly provider fails; the central bank's rate is of midnight, before the one it replaces.
    const believe = (rate: string, provider: string, asOf: Date) =>
      transaction(api.db, async (tx) => {
        const confirmedAt = new Date();
        const freshUntil = new Date(started + DAY);
        const times = { asOf, confirmedAt, freshUntil };
        const given = { unit: 'CASH', base: 'EUR', rate, inverted: false, provider, ...times };
        await writeRates(tx, [given]);
        await applyMarketRates(api.deps, tx, await readMarket(tx));
      });
    await believe('1.05', 'fixer', ago(HOUR));
    await believe('1.14', 'frankfurter', ago(9 * HOUR));
    const pointsOf = async () => {
      const until = new Date(Date.now() + MINUTE);
      const query = listRatesQuery({ pairId: bank.id, since: ago(DAY), until });
      const { rows } = await query.execute(api.db);
      return rows.map(({ mid_rate, as_of }) => [mid_rate, as_of.toISOString()]);
    };
    assert.deepEqual((await pointsOf()).at(-1), [
      '1.140000000000000000',
      ago(9 * HOUR).toISOString(),
    ]);
    const { body } = await history('eur-to-cash', 'day');
    const { last, rate } = body.data;
    assert.deepEqual([last.rate, last.source, rate], ['1.14', 'frankfurter', '1.1286']);
    assert.equal(last.as_of, ago(9 * HOUR).toISOString());
    assert.ok(Date.parse(last.at) >= started, last.at);
    const shown = (await api.client().get('/api/public/rates-showcase')).body.data;
    const tile = shown.find((each: Json) => each.pair === 'eur-to-cash');
    assert.equal(tile.sparkline.at(-1), '1.14');
  });

  it('has a new manual rate at once', async () => {
    const { body } = await api.client().get('/api/public/rates/eur-to-usd?range=day');
    assert.deepEqual(rates({ body }), ['1.1']);
    const { version } = (await admin.get('/api/admin/pairs/eur-to-usd')).body.data;
    await admin.put('/api/admin/pairs/eur-to-usd/rate', { version, mid_rate: '1.2' });
    const after = await api.client().get('/api/public/rates/eur-to-usd?range=day');
    // Both are within one step of the day: the first rate and the last one.
    assert.deepEqual(rates(after), ['1.1', '1.2']);
  });

  it('begins with the first rate where the range is longer', async () => {
    await addPair(admin, 'eur', 'coin', { mid_rate: '5' });
    await transaction(api.db, (tx) =>
      importHistory(tx, 'eur-to-coin', [
        { mid_rate: '2', as_of: ago(6 * DAY) },
        { mid_rate: '4', as_of: ago(6 * DAY - 2 * MINUTE) },
      ]),
    );
    for (const range of ['week', 'month', 'year']) {
      const { body } = await history('eur-to-coin', range);
      assert.equal(body.data.points[0].at, ago(6 * DAY).toISOString(), range);
      assert.deepEqual([rates({ body }), body.data.change], [['2', '4', '5'], '150.00'], range);
    }
    const day = await history('eur-to-coin', 'day');
    assert.deepEqual([rates(day), day.body.data.change], [['4', '5'], '25.00']);
  });

  it('has every rate of a young pair in a long range', async () => {
    await addPair(admin, 'coin', 'eur', { mid_rate: '1' });
    const hourly = Array.from({ length: 72 }, (_, index) => ({
      mid_rate: `2.${index + 10}`,
      as_of: ago((72 - index) * HOUR),
    }));
    await transaction(api.db, (tx) => importHistory(tx, 'coin-to-eur', hourly));
    for (const range of ['week', 'month', 'year'])
      assert.equal((await history('coin-to-eur', range)).body.data.points.length, 73, range);
  });

  it('has a point for each of 200 steps, and the high between them, read through the index', async () => {
    const pair = await findPair(api.db, { slug: 'usd-to-eur' });
    assert.ok(pair);
    const many = Array.from({ length: 3000 }, (_, index) => ({
      mid_rate: index === 1501 ? '7' : `0.91${String(index).padStart(4, '0')}`,
      as_of: ago(18 * HOUR - (index * 17 * HOUR) / 3000),
    }));
    // As many of another pair.
    for (const slug of ['eur-to-usd', 'usd-to-eur'])
      await transaction(api.db, (tx) => importHistory(tx, slug, many));
    const { points, high } = (await history('usd-to-eur', 'day')).body.data;
    assert.ok(points.length > 130 && points.length <= 204, `${points.length} points`);
    assert.equal(high, '7');
    const highest = points.find(({ rate }: Json) => rate === '7');
    assert.equal(highest.at, ago(18 * HOUR - (1501 * 17 * HOUR) / 3000).toISOString());
    const times = points.map(({ at }: Json) => at);
    assert.deepEqual(times, times.toSorted());

    await sql`analyze pair_rates`.execute(api.db);
    const query = listRatesQuery({
      pairId: pair.id,
      since: ago(10 * MINUTE),
      until: new Date(),
    });
    const plan = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(api.db);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, /pair_rates_(history|in_force)/);
    assert.doesNotMatch(text, /Seq Scan on pair_rates/);
  });
});
