/** One letter for each question, whoever takes it over and however it is given. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, freshHour } = desk;
const { fixer, openexchangerates: other, coingecko } = fakes;
const usualOther = { ...other.rates };
const usualPrices = { ...coingecko.rates };
const URL = '/api/admin/rates/quarantine';

/** Fixer alone, and the other one where Fixer is silent; its base is the dollar. */
beforeEach(async () => {
  other.rates = { ...usualOther };
  coingecko.rates = { ...usualPrices };
  for (const table of ['market_rates', 'market_past', 'pair_rates', 'letters'] as const)
    await api.db.deleteFrom(table).execute();
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('fixer', 'openexchangerates') });
});

/** The questions and letters of the next run. */
async function nextRun(who: typeof fixer, unit: string, rate: string): Promise<string> {
  api.clock.advance(HOUR);
  fixer.mood = who === fixer ? 'well' : 'reset';
  who.rates[unit] = rate;
  await run();
  const letters = await api.db
    .deleteFrom('letters')
    .where('kind', '=', 'rates-waiting')
    .returning('id')
    .execute();
  const questions = (await waiting()).map((row) => `${row.unit}/${row.base}`);
  return `${questions.join()} ${letters.length}`;
}
const waiting = async (): Promise<Json[]> =>
  (await admin.get(URL)).body.data.filter((each: Json) => each.decision === null);

describe('a question that another provider takes over', () => {
  it('is told once where it gives the same the other way round, until a person answers', async () => {
    assert.equal(await nextRun(fixer, 'USD', '1.3136'), 'USD/EUR 1');
    assert.equal(await nextRun(other, 'EUR', '0.7613'), 'EUR/USD 0');
    assert.equal(await nextRun(fixer, 'USD', '1.3136'), 'USD/EUR 0');
    assert.equal(await nextRun(other, 'EUR', '0.7613'), 'EUR/USD 0');
    const [{ id, rate }] = await waiting();
    api.clock.advance(MINUTE);
    const answer = await admin.post(`${URL}/${id}/decision`, { decision: 'refuse', rate });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await nextRun(fixer, 'USD', '1.3136'), 'USD/EUR 1');
  });

  it('is another one that is told, and as old, where it is in terms of another base', async () => {
    assert.equal(await nextRun(fixer, 'GBP', '1.2'), 'GBP/EUR 1');
    const [before] = await waiting();
    assert.equal(await nextRun(other, 'GBP', '1.2'), 'GBP/USD 1');
    const [row] = await waiting();
    assert.notEqual(row.id, before.id);
    assert.equal(row.created_at, api.clock.now().toISOString());
    assert.equal(await nextRun(other, 'GBP', '1.21'), 'GBP/USD 0');
    const [same] = await waiting();
    assert.deepEqual([same.id, same.created_at], [row.id, row.created_at]);
  });

  it('is told once in terms of each base, however often one takes it from the other', async () => {
    assert.equal(await nextRun(fixer, 'GBP', '1.2'), 'GBP/EUR 1');
    assert.equal(await nextRun(other, 'GBP', '1.2'), 'GBP/USD 1');
    for (let times = 0; times < 2; times += 1) {
      assert.equal(await nextRun(fixer, 'GBP', '1.2'), 'GBP/EUR 0');
      assert.equal(await nextRun(other, 'GBP', '1.2'), 'GBP/USD 0');
    }
    assert.equal(await nextRun(fixer, 'GBP', '2.4'), 'GBP/EUR 1');
  });

  it('is told once where one of them gives it as a price', async () => {
    await configure({ providers: listed('fixer', 'coingecko') });
    // Its price in dollars would contradict Fixer's dollar.
    delete coingecko.rates['bitcoin.usd'];
    const told = async (who: typeof fixer, unit: string, rate: string): Promise<string> => {
      const questions = await nextRun(who, unit, rate);
      assert.deepEqual(
        (await waiting()).map((row) => [row.rate, row.inverted]),
        [[rate, who === coingecko]],
      );
      return questions;
    };
    coingecko.rates['bitcoin.eur'] = '80000';
    assert.equal(await told(fixer, 'BTC', '0.0000125'), 'BTC/EUR 1');
    for (let times = 0; times < 2; times += 1) {
      assert.equal(await told(coingecko, 'bitcoin.eur', '80000'), 'BTC/EUR 0');
      assert.equal(await told(fixer, 'BTC', '0.0000125'), 'BTC/EUR 0');
    }
    assert.equal(await told(coingecko, 'bitcoin.eur', '160000'), 'BTC/EUR 1');
  });
});
