/** What other providers say of a rate that waits: those that a run asks anyway, and nobody for its sake. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { newestWords } from '#test/letters.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, freshHour, usual } = desk;
const { fixer, openexchangerates: other } = fakes;
const { BTC: _btc, ...withoutCoin } = usual;
const usualOther = { ...other.rates };

const question = async (unit: string): Promise<Json> =>
  (await admin.get('/api/admin/rates/quarantine')).body.data.find(
    (each: Json) => each.unit === unit && each.decision === null,
  );

async function nextRun(rates: Json): Promise<Json> {
  fixer.rates = rates;
  api.clock.advance(HOUR);
  return run();
}

beforeEach(async () => {
  other.rates = { ...usualOther };
  for (const table of ['market_rates', 'market_past', 'pair_rates', 'letters'] as const)
    await api.db.deleteFrom(table).execute();
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('fixer', 'openexchangerates') });
  other.requests.length = 0;
});

describe('a rate that moved too far', () => {
  it('has nobody asked for a second opinion, and says that there is none', async () => {
    await nextRun({ ...usual, GBP: '1.2' });
    assert.equal(other.requests.length, 0);
    assert.deepEqual((await question('GBP')).opinions, []);
  });

  it('is shown, and told, with what another says of it that was asked for something else', async () => {
    other.rates['GBP'] = '1.1';
    await nextRun({ ...withoutCoin, GBP: '1.2' });
    assert.equal(other.requests.length, 1);
    const { opinions, seen_at } = await question('GBP');
    const [{ label, rate, away_percent, agrees, heard_at }] = opinions;
    assert.deepEqual([label, rate.slice(0, 6)], ['Open Exchange Rates', '1.2041']);
    assert.deepEqual([away_percent.slice(0, 4), agrees, heard_at], ['0.34', true, seen_at]);
    assert.match(
      await newestWords(api, 'rates-waiting'),
      /by Fixer\. Open Exchange Rates says 1\.204\d+… GBP \(0\.34\d* % away, of 2026-03-14 \d\d:00 UTC\)"/,
    );
  });

  it('keeps what was said of the very same figure, and nothing that was said of another', async () => {
    await nextRun({ ...withoutCoin, GBP: '1.2' });
    const { opinions: first } = await question('GBP');
    assert.equal(first.length, 1);
    await nextRun({ ...usual, GBP: '1.2' });
    const { opinions, seen_at } = await question('GBP');
    assert.deepEqual(opinions, first);
    assert.notEqual(opinions[0].heard_at, seen_at);
    await nextRun({ ...usual, GBP: '1.21' });
    assert.deepEqual((await question('GBP')).opinions, []);
    assert.equal(other.requests.length, 1);
  });

  it('is put aside also where others lead to a figure that is too large to be told', async () => {
    const large = `1${'0'.repeat(18)}`;
    // From euros to dollars and on to pounds.
    other.rates = { ...usualOther, EUR: '0.000000000000000001', GBP: large };
    const { outcome } = await nextRun({ ...withoutCoin, GBP: '1.2' });
    assert.equal(outcome, 'partial');
    const [{ label, rate, answered }] = (await question('GBP')).opinions;
    assert.deepEqual([label, rate, answered], ['Open Exchange Rates', null, true]);
  });
});
