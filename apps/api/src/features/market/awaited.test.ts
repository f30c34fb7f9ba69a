import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { doubtsOf, waitingAmong } from './awaited.ts';
import { marketOf, type BelievedRate } from './cross.ts';

const at = new Date('2026-11-21T08:00:00Z');
const rate = (unit: string, base: string): BelievedRate => {
  const times = { asOf: at, confirmedAt: at, freshUntil: at };
  return { unit, base, rate: '2', inverted: false, provider: 'fixer', ...times };
};
const doubts = (rates: readonly BelievedRate[], unit: string, base: string) =>
  doubtsOf(marketOf(rates, at, [{ unit, base }]));

describe('a jump that waits', () => {
  it('puts in doubt the last step to its unit, whichever way it was given', () => {
    assert.deepEqual(doubts([rate('USD', 'EUR'), rate('GBP', 'USD')], 'GBP', 'EUR'), [
      { unit: 'GBP', awaited: 'GBP' },
    ]);
    assert.deepEqual(doubts([rate('EUR', 'USD')], 'USD', 'EUR'), [{ unit: 'EUR', awaited: 'USD' }]);
  });

  it('puts in doubt what is believed of its unit, where it came from a base that nothing connects', () => {
    assert.deepEqual(doubts([rate('BTC', 'USD')], 'BTC', 'EUR'), [{ unit: 'BTC', awaited: 'BTC' }]);
  });

  it('finds nothing to doubt where nothing is believed', () => {
    assert.deepEqual(doubts([rate('GBP', 'USD')], 'BTC', 'EUR'), []);
  });
});

describe('a price that the market gives no rate for', () => {
  it('waits for every jump that it would be made of, believed or not', () => {
    const doubted = { ...rate('EUR', 'USD'), awaits: ['USD'] };
    const asked = [{ unit: 'USD', base: 'EUR' }];
    const market = marketOf([doubted, rate('GBP', 'USD')], at, asked);
    assert.deepEqual(waitingAmong(market, ['EUR', 'GBP', 'XAU']), ['USD']);
    assert.deepEqual(waitingAmong(market, ['GBP', 'XAU']), []);
    const unknown = marketOf([rate('GBP', 'USD')], at, [{ unit: 'BTC', base: 'GBP' }]);
    assert.deepEqual(waitingAmong(unknown, ['USD', 'BTC']), ['BTC']);
    assert.deepEqual(waitingAmong(unknown, ['USD', 'GBP']), []);
  });
});
