import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDecimal, tenTo } from '@cambist/money/decimal';
import { fraction, minus, over, times, type Fraction } from '@cambist/money/fraction';
import { quoteReceive, quoteSend, type PriceTerms } from '@cambist/money/quote';
import fc from 'fast-check';
import { orient } from './items.ts';
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
    withoutFixedFees: orient(worst.withoutFixedFees),
    fees: [worst.sendFee, worst.receiveFee],
  };
}

describe('the worst price', () => {
  it('is the rate itself where nothing is charged or rounded', () => {
    const rate = { in: '1', out: '2' };
    assert.deepEqual(priced({ rate: parseDecimal('2') }), {
      all: rate,
      withoutFixedFees: rate,
      fees: [0n, 0n],
    });
    // 2277/2500 for one: the gross of 10.00 may lose 2499/2500 of a cent.
    const rounded = orient({ numerator: 9_108_000n - 9_996n, denominator: 10_000_000n });
    assert.deepEqual(priced({}), { all: rounded, withoutFixedFees: rounded, fees: [0n, 0n] });
  });

  it('includes percentages, and fixed fees at the smallest amount', () => {
    const sendFee = { ...noFee, fixed: 100n, percent: parseDecimal('10') };
    const receiveFee = { ...noFee, fixed: 50n, percent: parseDecimal('20') };
    // 10.00 sent: 2.00 of fee, 8.00 × 2 = 16.00, 3.20 + 0.50 of fee, 12.30 paid out. Rounding the
    // fees up takes 9/10 and 4/5 of a cent at most: 0.9 × 2 × 0.8 + 0.8 of what is paid out.
    assert.deepEqual(priced({ rate: parseDecimal('2'), sendFee, receiveFee }), {
      all: { in: '1', out: '1.22776' },
      // The same on the 8.88 that are left after the fee.
      withoutFixedFees: { in: '1', out: '1.437477477477477477' },
      // 1.00 / 0.9, so that the percentage is not taken of it as well.
      fees: [112n, 50n],
    });
  });

  it('takes the worst of the fee bounds', () => {
    const percent = parseDecimal('1');
    const least = { ...noFee, percent, min: 300n };
    assert.deepEqual(priced({ rate: parseDecimal('2'), receiveFee: least }).fees, [0n, 280n]);
    const capped = { ...noFee, fixed: 900n, percent, max: 700n };
    const worst = priced({ rate: parseDecimal('2'), receiveFee: capped });
    assert.deepEqual([worst.withoutFixedFees, worst.fees], [{ in: '1', out: '2' }, [0n, 700n]]);
  });

  it('counts the payout step, less the smallest unit, as a cost', () => {
    const worst = priced({ rate: parseDecimal('2'), payoutStep: 100n });
    assert.deepEqual(worst.fees, [0n, 99n]);
    assert.deepEqual(worst.all, { in: '1', out: '1.901' });
  });

  it('has the rate of the worst tier within the limits', () => {
    const tier = (from: bigint, rate: string) => ({ from, rate: parseDecimal(rate) });
    const better = priced({
      rate: parseDecimal('2'),
      tiers: [tier(1_000n, '3'), tier(2_000n, '4')],
    });
    assert.deepEqual(better.all, { in: '1', out: '3' });
    const worse = [tier(500_000n, '1.5'), tier(500_001n, '1')];
    assert.deepEqual(priced({ rate: parseDecimal('2'), tiers: worse }).all, {
      in: '1',
      // A gross with half a cent loses it.
      out: '1.4995',
    });
  });
});

describe('the orientation', () => {
  const written = (text: string) => orient(fraction(parseDecimal(text)));

  it('writes a rate of one or more with 18 decimals', () => {
    assert.deepEqual(written('1.000'), { in: '1', out: '1' });
    assert.deepEqual(written('61250.500000000000000001'), {
      in: '1',
      out: '61250.500000000000000001',
    });
    assert.deepEqual(written('999999999999999999999999'), {
      in: '1',
      out: '999999999999999999999999',
    });
    assert.deepEqual(orient({ numerator: 5n, denominator: 3n }), {
      in: '1',
      out: '1.666666666666666666',
    });
  });

  it('writes a smaller rate as its reciprocal without losing digits', () => {
    assert.deepEqual(written('0.000000000000000001'), { in: '1000000000000000000', out: '1' });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: tenTo(18) - 1n }), (units) => {
        const rate = orient({ numerator: units, denominator: tenTo(18) });
        assert.equal(rate?.out, '1');
        const { numerator, denominator } = fraction(parseDecimal(rate.in));
        // Rounded up to 18 decimals, since the reciprocal was rounded against the customer.
        assert.equal((denominator * tenTo(18) + numerator - 1n) / numerator, units);
        assert.ok(denominator * tenTo(18) <= units * numerator);
      }),
    );
  });

  it('is null at zero or below', () => {
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

/** Of one amount: what both ways of announcing promise, as it is written, against what is paid. */
function check(terms: PriceTerms, least: bigint, most: bigint, sends: readonly bigint[]): void {
  const worst = worstPrice(terms, quoteSend(terms, least), most);
  const [sentMinor, paidMinor] = [tenTo(terms.sendDecimals), tenTo(terms.receiveDecimals)];
  const all = announced(worst.all);
  const bare = announced(worst.withoutFixedFees);
  for (const send of sends) {
    const paid = { numerator: quoteSend(terms, send).payout, denominator: 1n };
    const brings = (units: bigint, rate: Fraction) =>
      times({ numerator: units * paidMinor, denominator: sentMinor }, rate);
    const fees = { numerator: worst.receiveFee, denominator: 1n };
    for (const promise of [brings(send, all), minus(brings(send - worst.sendFee, bare), fees)])
      assert.ok(minus(promise, paid).numerator <= 0n, `${send} pays ${paid.numerator}`);
  }
}

/** The rate that a reader takes from the file; nothing where none is written. */
function announced(rate: Fraction): Fraction {
  const written = orient(rate);
  if (written === null) return { numerator: 0n, denominator: 1n };
  return over(fraction(parseDecimal(written.out)), fraction(parseDecimal(written.in)));
}

describe('every customer', () => {
  it('is paid at least what was published, for any fees, bounds and steps', () => {
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
          const { send } = quoteReceive(terms, wish);
          const sends = [0n, ...more].map((each) => send + each);
          check(terms, send, send + 10n ** 7n, sends);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is so at every single amount, also where a currency has no decimals', () => {
    const half = { ...noFee, percent: parseDecimal('0.5') };
    for (const changes of [
      { sendDecimals: 0, rate: parseDecimal('1'), sendFee: half },
      { receiveDecimals: 0, rate: parseDecimal('0.99') },
      { receiveDecimals: 0, rate: parseDecimal('0.99'), receiveFee: half },
      { sendDecimals: 0, receiveDecimals: 0, sendFee: half, receiveFee: half },
      { rate: parseDecimal('0.99'), payoutStep: 100n },
      { sendDecimals: 0, payoutStep: 500n, sendFee: { ...half, min: 3n, max: 6n } },
    ] satisfies Partial<PriceTerms>[]) {
      const terms = { ...plain, ...changes };
      const least = terms.sendDecimals === 0 ? 50n : 5_000n;
      const sends = Array.from({ length: 3000 }, (_, index) => least + BigInt(index));
      check(terms, least, 100_000n, sends);
    }
  });

  it('is published no lower rate than the roundings require', () => {
    // 50 of a currency without decimals, 0.5 %: 1 of fee at once, so 49.00 are paid and announced.
    const sendFee = { ...noFee, percent: parseDecimal('0.5') };
    const terms = { ...plain, sendDecimals: 0, rate: parseDecimal('1'), sendFee };
    const { all } = worstPrice(terms, quoteSend(terms, 50n), 2_000n);
    // 49.75 less 199/200 of a unit, the most that rounding the fee up can take.
    assert.deepEqual(orient(all), orient({ numerator: 48_755n, denominator: 50_000n }));
  });
});
