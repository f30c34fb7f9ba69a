import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceName } from './provider-name.ts';

describe('the source of a rate', () => {
  it('is named by the providers’ own names', () => {
    assert.equal(sourceName('openexchangerates'), 'Open Exchange Rates');
    assert.equal(sourceName('fixer + coingecko'), 'Fixer + CoinGecko');
    assert.equal(sourceName('of an older version + fixer'), 'of an older version + Fixer');
  });
});
