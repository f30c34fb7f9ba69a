import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Exact, refuses } from '../test/oracle.ts';
import {
  formatAmount,
  maxDecimals,
  maxMajorUnits,
  maxMinor,
  parseAmount,
  toDecimal,
} from './amount.ts';

describe('parseAmount', () => {
  it('reads major units into minor units', () => {
    assert.equal(parseAmount('1500', 0), 1500n); // JPY
    assert.equal(parseAmount('500', 2), 50_000n);
    assert.equal(parseAmount('500.5', 2), 50_050n);
    assert.equal(parseAmount('1.234', 3), 1_234n); // KWD
    assert.equal(parseAmount('0.00000001', 8), 1n); // BTC
    assert.equal(parseAmount('1.000000000000000001', 18), 1_000_000_000_000_000_001n); // ETH
    assert.equal(parseAmount('-0.05', 2), -5n);
    assert.equal(parseAmount('-0.00', 2), 0n);
  });

  it('refuses decimals the currency does not have, even zeros', () => {
    refuses('too_many_decimals', () => parseAmount('1500.0', 0));
    refuses('too_many_decimals', () => parseAmount('1.005', 2));
    refuses('too_many_decimals', () => parseAmount('1.000', 2));
  });

  it('refuses what is no decimal', () => {
    for (const text of ['', '1e3', '1,000.00', '$5', ' 5']) {
      refuses('not_a_decimal', () => parseAmount(text, 2));
    }
  });

  it('reads 10^24 major units and refuses one minor unit more, on both sides of zero', () => {
    const limit = `1${'0'.repeat(24)}`;
    for (const decimals of [0, 2, 18]) {
      assert.equal(parseAmount(limit, decimals), maxMinor(decimals));
      assert.equal(parseAmount(`-${limit}`, decimals), -maxMinor(decimals));
      const above = formatAmount(maxMinor(decimals) + 1n, decimals);
      refuses('amount_too_large', () => parseAmount(above, decimals));
      refuses('amount_too_large', () => parseAmount(`-${above}`, decimals));
    }
    assert.equal(maxMinor(0), maxMajorUnits);
  });

  it('refuses decimals outside 0 to 18', () => {
    for (const decimals of [-1, 19, 1.5, NaN]) {
      refuses('decimals_out_of_range', () => parseAmount('1', decimals));
      refuses('decimals_out_of_range', () => formatAmount(1n, decimals));
      refuses('decimals_out_of_range', () => toDecimal(1n, decimals));
    }
  });
});

describe('formatAmount', () => {
  it('writes exactly the decimals of the currency', () => {
    assert.equal(formatAmount(50_000n, 2), '500.00');
    assert.equal(formatAmount(-5n, 2), '-0.05');
    assert.equal(formatAmount(12n, 0), '12');
    assert.equal(formatAmount(0n, 3), '0.000');
    assert.equal(formatAmount(1n, 18), '0.000000000000000001');
  });
});

describe('every amount up to 10^24 with 0 to 18 decimals', () => {
  const amounts = fc.integer({ min: 0, max: maxDecimals }).chain((decimals) =>
    fc.integer({ min: 0, max: 24 + decimals }).chain((digits) => {
      const most = 10n ** BigInt(digits);
      return fc.bigInt({ min: -most, max: most }).map((minor) => ({ minor, decimals }));
    }),
  );

  it('keeps every digit there and back', () => {
    fc.assert(
      fc.property(amounts, ({ minor, decimals }) => {
        const text = formatAmount(minor, decimals);
        const value = new Exact(String(minor)).div(new Exact(10).pow(decimals));
        assert.equal(text, minor === 0n ? new Exact(0).toFixed(decimals) : value.toFixed(decimals));
        assert.equal(parseAmount(text, decimals), minor);
        assert.deepEqual(toDecimal(minor, decimals), { units: minor, scale: decimals });
      }),
      { numRuns: 500 },
    );
  });
});
