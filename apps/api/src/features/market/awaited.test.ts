import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { doubtsOf } from './awaited.ts';
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
