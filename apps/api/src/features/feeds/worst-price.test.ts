import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDecimal, tenTo } from '@cambist/money/decimal';
import { quoteReceive, quoteSend, type PriceTerms } from '@cambist/money/quote';
import fc from 'fast-check';
import { fraction, minus, orient, times, type Fraction } from './fraction.ts';
import { worstPrice } from './worst-price.ts';

const noFee = { fixed: 0n, percent: parseDecimal('0'), min: null, max: null };
const plain: PriceTerms = {
  sendDecimals: 2,
  receiveDecimals: 2,
  rate: parseDecimal('0.9108'),
  tiers: [],
  mid: null,
  sendFee: noFee,
  receiveFee: noFee,
  payoutStep: 1n,
};

/** Of 10.00 to 5,000.00. */
function priced(changes: Partial<PriceTerms>) {
  const terms = { ...plain, ...changes };
  const worst = worstPrice(terms, quoteSend(terms, 1_000n), 500_000n);
  return {
    all: orient(worst.all),
    bare: orient(worst.bare),
    fees: [worst.sendFee, worst.receiveFee],
  };
}

describe('the worst price', () => {
  it('is the rate itself where nothing is charged', () => {
    const rate = { in: '1.09793588054457619676', out: '1' };
    assert.deepEqual(priced({}), { all: rate, bare: rate, fees: [0n, 0n] });
  });

  it('has percentages inside, and fixed fees at the least amount', () => {
    const sendFee = { ...noFee, fixed: 100n, percent: parseDecimal('10') };
    const receiveFee = { ...noFee, fixed: 50n, percent: parseDecimal('20') };
    // 10.00 sent: 2.00 of fee, 8.00 × 2 = 16.00, 3.20 + 0.50 of fee, 12.30 paid out.
    assert.deepEqual(priced({ rate: parseDecimal('2'), sendFee, receiveFee }), {
      all: { in: '1', out: '1.23' },
      bare: { in: '1', out: '1.44' },
      // 1.00 / 0.9, so that the percentage is not taken of it as well.
      fees: [112n, 50n],
    });
  });

  it('takes the bounds of fees at their worst', () => {
    const percent = parseDecimal('1');
    const least = { ...noFee, percent, min: 300n };
    assert.deepEqual(priced({ rate: parseDecimal('2'), receiveFee: least }).fees, [0n, 280n]);
    const capped = { ...noFee, fixed: 900n, percent, max: 700n };
    const worst = priced({ rate: parseDecimal('2'), receiveFee: capped });
    assert.deepEqual([worst.bare, worst.fees], [{ in: '1', out: '2' }, [0n, 700n]]);
  });

  it('counts a step of the payout as a cost, less the smallest unit', () => {
    const worst = priced({ rate: parseDecimal('2'), payoutStep: 100n });
    assert.deepEqual(worst.fees, [0n, 99n]);
    assert.deepEqual(worst.all, { in: '1', out: '1.901' });
  });

  it('has the rate of the worst tier that the limits reach', () => {
    const tier = (from: bigint, rate: string) => ({ from, rate: parseDecimal(rate) });
    const better = priced({
      rate: parseDecimal('2'),
      tiers: [tier(1_000n, '3'), tier(2_000n, '4')],
    });
    assert.deepEqual(better.all, { in: '1', out: '3' });
    const worse = [tier(500_000n, '1.5'), tier(500_001n, '1')];
    assert.deepEqual(priced({ rate: parseDecimal('2'), tiers: worse }).all, {
      in: '1',
      out: '1.5',
    });
  });
});

describe('the orientation', () => {
  const written = (text: string) => orient(fraction(parseDecimal(text)));

  it('has a rate of one or more as it is, to 18 decimals', () => {
    assert.deepEqual(written('1.000'), { in: '1', out: '1' });
    assert.deepEqual(written('61250.500000000000000001'), {
      in: '1',
      out: '61250.500000000000000001',
    });
    assert.deepEqual(written('999999999999999999999999'), {
      in: '1',
      out: '999999999999999999999999',
    });
    assert.deepEqual(orient({ top: 5n, bottom: 3n }), { in: '1', out: '1.666666666666666666' });
  });

  it('has a smaller one as its reciprocal, from which it comes back', () => {
    assert.deepEqual(written('0.000000000000000001'), { in: '1000000000000000000', out: '1' });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: tenTo(18) - 1n }), (units) => {
        const rate = orient({ top: units, bottom: tenTo(18) });
        assert.equal(rate?.out, '1');
        const { top, bottom } = fraction(parseDecimal(rate.in));
        // Rounded up to 18 decimals, since the reciprocal was rounded against the customer.
        assert.equal((bottom * tenTo(18) + top - 1n) / top, units);
        assert.ok(bottom * tenTo(18) <= units * top);
      }),
    );
  });

  it('has none at zero or below', () => {
    assert.equal(written('0'), null);
    assert.equal(written('-1'), null);
  });
});

const scaled = (min: bigint, max: bigint, scale: number) =>
  fc.bigInt({ min, max }).map((units) => ({ units, scale }));
const fee = fc
  .record({
    fixed: fc.bigInt({ min: 0n, max: 5_000n }),
    percent: scaled(0n, 50_000n, 4),
    min: fc.option(fc.bigInt({ min: 0n, max: 5_000n }), { nil: null }),
    max: fc.option(fc.bigInt({ min: 0n, max: 5_000n }), { nil: null }),
  })
  .filter(({ min, max }) => max === null || max >= (min ?? 0n));
const anyTerms = fc.record({
  sendDecimals: fc.constantFrom(0, 2, 8, 18),
  receiveDecimals: fc.constantFrom(0, 2, 8, 18),
  rate: scaled(1n, 1_000_000n, 3),
  tiers: fc.constant([]),
  mid: fc.constant(null),
  sendFee: fee,
  receiveFee: fee,
  payoutStep: fc.constantFrom(1n, 5n, 100n),
});

describe('every customer', () => {
  it('gets what was announced at least, whatever the fees, bounds and steps', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 7n }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        anyTerms,
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        amounts,
        (terms, wish, more) => {
          const least = quoteReceive(terms, wish);
          const worst = worstPrice(terms, least, least.send + 10n ** 7n);
          const minor = tenTo(terms.receiveDecimals);
          const inMinor = ({ top, bottom }: Fraction) => ({ top: top * minor, bottom });
          // The smallest unit of what is sent, once, and two of what is paid out.
          const rounding = times(
            fraction(terms.rate),
            inMinor({ top: 1n, bottom: tenTo(terms.sendDecimals) }),
          );
          for (const each of more) {
            const { payout, send } = quoteSend(terms, least.send + each);
            const sent = { top: send, bottom: tenTo(terms.sendDecimals) };
            const charged = { top: send - worst.sendFee, bottom: sent.bottom };
            const fees = { top: worst.receiveFee, bottom: 1n };
            for (const announced of [
              inMinor(times(sent, worst.all)),
              minus(inMinor(times(charged, worst.bare)), fees),
            ]) {
              const short = minus(minus(announced, { top: payout + 2n, bottom: 1n }), rounding);
              assert.ok(short.top <= 0n, `${send} pays ${payout}`);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
