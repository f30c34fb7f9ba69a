/** The customer's rate against the oracle, and that no way there and back gains by it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attempt, exact, Exact, places, positive, rates, ROUND_FLOOR } from '../test/oracle.ts';
import { divideDown, formatDecimal, one, zero } from './decimal.ts';
import type { Fee } from './fee.ts';
import { customerRate, quoteReceive, quoteSend, type PriceTerms } from './quote.ts';

describe('there and back', () => {
  const margins = fc
    .integer({ min: 0, max: 9_999 })
    .map((units) => ({ units: BigInt(units), scale: 2 }));
  const fractions = fc.oneof(fc.constant(zero), margins);
  const noFee: Fee = { fixed: 0n, percent: zero, min: null, max: null };

  it('never gains, without fees and at any margin, by either side', () => {
    const digits = fc.tuple(places, places);
    fc.assert(
      fc.property(
        rates,
        fractions,
        fractions,
        digits,
        digits,
        positive(43),
        (mid, there, back, at, of, send) => {
          const [digitsThere, digitsBack] = at;
          const [sendDecimals, receiveDecimals] = of;
          const out: PriceTerms = {
            sendDecimals,
            receiveDecimals,
            mid,
            rate: customerRate(mid, there, zero, digitsThere),
            tiers: [],
            payoutStep: 1n,
            sendFee: noFee,
            receiveFee: noFee,
          };
          const inverse = divideDown(one, mid, 24);
          const home: PriceTerms = {
            ...out,
            sendDecimals: receiveDecimals,
            receiveDecimals: sendDecimals,
            mid: inverse,
            rate: customerRate(inverse, back, zero, digitsBack),
          };
          const first = attempt(() => quoteSend(out, send));
          if (typeof first === 'string') return;
          const second = attempt(() => quoteSend(home, first.payout));
          if (typeof second === 'string') return;
          assert.ok(second.payout <= send, `${second.payout} > ${send}`);
          const again = quoteReceive(out, first.payout);
          assert.ok(second.payout <= again.send, 'gains by asking for the payout instead');
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe('the customer’s rate', () => {
  it('is the mid less both margins, rounded down once', () => {
    const margins = fc.integer({ min: -2_000_000, max: 99_999_999 });
    const absolutes = fc
      .tuple(rates, fc.constantFrom(-1n, 0n, 1n))
      .map(([{ units, scale }, sign]) => ({
        units: units * sign,
        scale,
      }));
    fc.assert(
      fc.property(rates, margins, absolutes, places, (mid, units, absolute, digits) => {
        const margin = { units: BigInt(units), scale: 6 };
        const rate = customerRate(mid, margin, absolute, digits);
        const remaining = new Exact(1).minus(exact(margin).div(100));
        const left = exact(mid).times(remaining).minus(exact(absolute));
        const expected = left.toDecimalPlaces(digits, ROUND_FLOOR).plus(0);
        assert.equal(formatDecimal(rate), expected.toFixed(digits));
      }),
      { numRuns: 500 },
    );
  });
});
