/** What a run tells of each provider's answer: what counts of it, and what it lacks. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';
import { gaveNone } from './tally.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, configure, setKey, run, freshHour } = desk;
/** What Fixer says on a usual day, in dollars. */
const inDollars = { EUR: '0.91349', GBP: '0.78425', BTC: '0.000016315' };
const all = (rate: string) =>
  Object.fromEntries(Object.keys(inDollars).map((unit) => [unit, rate]));

const said = ({ attempts }: Json) =>
  attempts.map(({ message, rates }: Json) => [message, rates] as const);
const fills = ['Fixer gave 3 rates.', 3];

beforeEach(async () => {
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('openexchangerates', 'fixer') });
  fakes.openexchangerates.rates = { ...inDollars };
  assert.deepEqual(said(await run()), [['Open Exchange Rates gave 3 rates.', 3]]);
  api.clock.advance(HOUR);
});

describe('an answer', () => {
  it('counts as many rates as are sound', async () => {
    for (const [rates, message, sound] of [
      [{ GBP: '0' }, 'gave 2 rates, and 1 figure that cannot be believed.', 2],
      [{ GBP: '"NaN"', BTC: '1e400' }, 'gave 1 rate, and 2 figures that cannot be believed.', 1],
    ] as const) {
      fakes.openexchangerates.rates = { ...inDollars, ...rates };
      const result = await run();
      assert.deepEqual(said(result), [[`Open Exchange Rates ${message}`, sound], fills]);
      assert.equal(result.outcome, 'updated');
    }
  });

  it('without a sound figure is not all that a run can be, though another fills in', async () => {
    for (const [rates, message] of [
      [all('0'), 'gave 3 figures, and none of them can be believed.'],
      [{ GBP: '-1' }, 'gave one figure, which cannot be believed.'],
      [{}, 'gave no rate of what it was asked for.'],
    ] as const) {
      fakes.openexchangerates.rates = rates;
      const result = await run();
      assert.deepEqual(said(result), [[`Open Exchange Rates ${message}`, 0], fills]);
      assert.deepEqual([result.outcome, result.accepted, result.missing], ['partial', 3, []]);
    }
  });

  it('of a provider that carries nothing of what the desk has lacks nothing', () => {
    const attempt = { provider: 'coingecko', outcome: 'ok', rates: 0 };
    assert.equal(gaveNone(attempt, ['EUR', 'USD']), false);
    assert.equal(gaveNone(attempt, ['EUR', 'BTC']), true);
    assert.equal(gaveNone({ ...attempt, provider: 'fixer' }, ['EUR', 'USD']), true);
  });
});
