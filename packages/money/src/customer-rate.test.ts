/** The customer's rate against the oracle, and that no way there and back gains by it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attempt, exact, Exact, places, positive, rates, ROUND_FLOOR } from '../test/oracle.ts';
import { divideDown, formatDecimal, one, zero } from './decimal.ts';
import { customerRate, quoteReceive, quoteSend, type Fee, type PriceTerms } from './quote.ts';

describe('there and back', () => {
  const margins = fc
    .integer({ min: 0, max: 9_999 })
    .map((units) => ({ units: BigInt(units), scale: 2 }));
  const fractions = fc.oneof(fc.constant(zero), margins);
  const noFee: Fee = { fixed: 0n, percent: zero };

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
            rate: customerRate(mid, there, digitsThere),
            sendFee: noFee,
            receiveFee: noFee,
          };
          const inverse = divideDown(one, mid, 24);
          const home: PriceTerms = {
            ...out,
            sendDecimals: receiveDecimals,
            receiveDecimals: sendDecimals,
            mid: inverse,
            rate: customerRate(inverse, back, digitsBack),
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
  it('is the mid less the margin, rounded down once', () => {
    const margins = fc.integer({ min: -2_000_000, max: 99_999_999 });
    fc.assert(
      fc.property(rates, margins, places, (mid, units, digits) => {
        const margin = { units: BigInt(units), scale: 6 };
        const rate = customerRate(mid, margin, digits);
        const kept = new Exact(1).minus(exact(margin).div(100));
        const expected = exact(mid).times(kept).toDecimalPlaces(digits, ROUND_FLOOR);
        assert.equal(formatDecimal(rate), expected.toFixed(digits));
      }),
      { numRuns: 500 },
    );
  });
});
