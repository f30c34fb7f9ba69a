/** A witness who contradicts the rate of a base: what stays asked, and is said of it, while it says nothing more. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, believed, freshHour, usual } = desk;
const { fixer, openexchangerates: other } = fakes;
const usualOther = { ...other.rates };
const { BTC: _btc, ...withoutCoin } = usual;
const URL = '/api/admin/rates/quarantine';

const waiting = async (): Promise<Json[]> =>
  (await admin.get(URL)).body.data.filter((each: Json) => each.decision === null);
const asked = async () =>
  (await waiting()).map(({ unit, reason }) => `${unit} ${reason}`).toSorted();
const question = async (unit: string): Promise<Json> =>
  (await waiting()).find((each) => each.unit === unit);
const decide = ({ id, rate }: Json, decision: 'accept' | 'refuse') =>
  admin.post(`${URL}/${id}/decision`, { decision, rate });

/** Fixer lacks bitcoins, so the other one is asked too, whose base is the dollar. */
beforeEach(async () => {
  other.rates = { ...usualOther };
  for (const table of ['market_rates', 'market_past', 'pair_rates'] as const)
    await api.db.deleteFrom(table).execute();
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('fixer', 'openexchangerates') });
  fixer.rates = { ...withoutCoin };
});

async function nextRun(): Promise<Json> {
  api.clock.advance(HOUR);
  return run();
}

describe('a witness who contradicts the rate of a base, and what it gives in that base', () => {
  it('has said both as long as it is silent: neither is believed, and a yes is possible', async () => {
    other.rates['EUR'] = '0.5';
    await run();
    const { confirmed_at: before } = await believed('GBP');
    assert.deepEqual(await asked(), ['EUR contradicted', 'GBP contradicted']);
    const { seen_at } = await question('GBP');
    other.mood = 'reset';
    fixer.rates = { ...usual, GBP: '0.86' };
    await nextRun();
    const { rate, confirmed_at } = await believed('GBP');
    assert.deepEqual([rate, confirmed_at], [usual.GBP, before]);
    const pound = await question('GBP');
    assert.equal(pound.seen_at, seen_at);
    const answer = await decide(pound, 'accept');
    assert.equal(answer.status, 200, answer.text);
  });
});
