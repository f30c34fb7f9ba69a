import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { add, compare, parseDecimal, subtract } from '@cambist/money/decimal';
import { breakdownOf, marginAt } from './price.ts';

const currency = (unit: string, decimals: number) => ({
  slug: unit.toLowerCase(),
  unit,
  decimals,
  name: unit,
  symbol: unit.slice(0, 1),
  channel: 'Bank',
  kind: 'bank' as const,
});
const sides = { send: currency('USD', 2), receive: currency('EUR', 2) };

describe('the margin of an amount', () => {
  const pair = {
    margin_percent: '1.500000',
    tiers: [
      { from: '100000', margin_percent: '1' },
      { from: '1000000000000000000000000', margin_percent: '-0.25' },
    ],
  };

  it('is that of its tier, from the tier’s first unit on', () => {
    assert.equal(marginAt(pair, 99_999n), '1.500000');
    assert.equal(marginAt(pair, 100_000n), '1');
    assert.equal(marginAt(pair, 10n ** 24n - 1n), '1');
    assert.equal(marginAt(pair, 10n ** 24n), '-0.25');
  });

  it('is the pair’s own without tiers', () => {
    assert.equal(marginAt({ ...pair, tiers: [] }, 10n ** 42n), '1.500000');
  });
});

describe('the breakdown of a price', () => {
  const price = {
    send_minor: 50_000n,
    send_fee_minor: 350n,
    rate: '0.907815000000000000',
    rate_digits: 6,
    gross_minor: 45_073n,
    receive_fee_minor: 71n,
    payout_minor: 45_000n,
    mid_rate: '0.921640000000000000',
    mid_source: 'fixer',
    mid_as_of: new Date('2026-11-21T08:00:00Z'),
    margin_percent: '1.400000',
    margin_absolute: '0.000922000000000000',
    fee_terms: {
      send: { fixed: '0', percent: '0', min: null, max: null },
      receive: { fixed: '0', percent: '0', min: null, max: null },
      step: '1',
    },
  };

  it('includes the part cut off by the payout step and adds up', () => {
    const lines = breakdownOf(price, sides);
    assert.equal(lines.rounding, '0.02');
    assert.deepEqual([lines.margin_percent, lines.margin_absolute], ['1.4', '0.000922']);
    const taken = add(parseDecimal(lines.receive_fee), parseDecimal(lines.rounding));
    const left = subtract(parseDecimal(lines.gross_amount), taken);
    assert.equal(compare(left, parseDecimal(lines.receive_amount)), 0);
  });

  it('has no rounding where everything is paid out', () => {
    assert.equal(breakdownOf({ ...price, payout_minor: 45_002n }, sides).rounding, '0.00');
  });
});
