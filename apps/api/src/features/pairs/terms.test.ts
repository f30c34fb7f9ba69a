import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { maxMinor } from '@cambist/money/amount';
import { parseDecimal } from '@cambist/money/decimal';
import { quoteSend } from '@cambist/money/quote';
import { priceErrors } from './editor/price-errors.ts';
import { sendLimits } from './limits.ts';
import { percentChange, terms, type LimitedPrice } from './terms.ts';
import { blank } from './editor/columns.ts';

const open = { min_send: null, max_send: null, min_receive: null, max_receive: null };

function pair(changes: Partial<LimitedPrice> = {}): LimitedPrice {
  return {
    ...blank,
    tiers: [],
    mid_rate: '0.92',
    margin_percent: '1',
    rate_digits: 4,
    min_send: 1000n,
    max_send: 500_000n,
    send: { decimals: 2, unit: 'USD', ...open },
    receive: { decimals: 2, unit: 'EUR', ...open },
    ...changes,
  };
}

type Limits = Partial<Record<keyof typeof open, bigint>>;

const sides = (send: Limits, receive: Limits) => ({
  send: { decimals: 2, unit: 'USD', ...open, ...send },
  receive: { decimals: 2, unit: 'EUR', ...open, ...receive },
});

describe('the limits of the send amount', () => {
  it('are the pair’s own where the currencies have none', () => {
    assert.deepEqual(sendLimits(pair()), { min: 1000n, max: 500_000n });
  });

  it('are the tightest of the pair’s and the currencies’', () => {
    const tight = pair(sides({ min_send: 2000n, max_send: 400_000n }, {}));
    assert.deepEqual(sendLimits(tight), { min: 2000n, max: 400_000n });
  });

  it('turn the receive side’s into what must be sent for them', () => {
    // The rate is 0.9108: 100.00 needs 109.80 to be sent, and 200.00 is still paid for 219.59.
    const limits = sendLimits(pair(sides({}, { min_receive: 10_000n, max_receive: 20_000n })));
    assert.deepEqual(limits, { min: 10_980n, max: 21_959n });
  });

  it('are none where nothing is left between them, or there is no price', () => {
    assert.equal(sendLimits(pair(sides({}, { min_receive: 10_000_000n }))), null);
    assert.equal(sendLimits(pair({ mid_rate: null })), null);
    assert.equal(sendLimits(pair({ mid_rate: '0.00001' })), null);
  });

  it('end with what a quote can count, however much the pair allows', () => {
    const most = maxMinor(2);
    const vast = pair({ mid_rate: '900', max_send: most });
    const { max } = sendLimits(vast) ?? { max: 0n };
    const priced = terms(vast);
    assert.ok(priced);
    assert.ok(quoteSend(priced, max).payout <= most);
    assert.throws(() => quoteSend(priced, max + 1n), { code: 'amount_too_large' });
  });

  it('keep every payout between them within the receive side’s, and are as wide as they can be', () => {
    const minor = (max: bigint) => fc.bigInt({ min: 1n, max });
    fc.assert(
      fc.property(
        minor(10n ** 6n),
        minor(10n ** 6n),
        fc.integer({ min: 1, max: 99_999 }),
        fc.nat(2_000),
        fc.nat(2_000),
        (least, span, rate, fixed, percent) => {
          const limited = pair({
            mid_rate: `${Math.trunc(rate / 1000)}.${String(rate % 1000).padStart(3, '0')}`,
            send_fee_fixed: BigInt(fixed),
            receive_fee_percent: `${Math.trunc(percent / 100)}.${String(percent % 100).padStart(2, '0')}`,
            min_send: 1n,
            max_send: 10n ** 12n,
            ...sides({}, { min_receive: least, max_receive: least + span }),
          });
          const limits = sendLimits(limited);
          const priced = terms(limited);
          if (limits === null || priced === null) return;
          const payout = (send: bigint) => quoteSend(priced, send).payout;
          assert.ok(payout(limits.min) >= least);
          assert.ok(payout(limits.max) <= least + span);
          assert.ok(payout(limits.max + 1n) > least + span);
        },
      ),
    );
  });
});

describe('the validation of a pair', () => {
  const fields = (changes: Partial<LimitedPrice>) => Object.keys(priceErrors(pair(changes)));

  it('accepts a valid pair', () => {
    assert.deepEqual(priceErrors(pair()), {});
    assert.deepEqual(
      priceErrors(pair({ margin_percent: '-2.5', send_fee_percent: '0.123456' })),
      {},
    );
  });

  it('refuses too few digits for a small rate, and margins that leave nothing of it', () => {
    assert.deepEqual(fields({ mid_rate: '0.0000158', rate_digits: 4 }), ['rate_digits']);
    assert.deepEqual(fields({ margin_absolute: '0.92' }), ['rate_digits']);
    assert.deepEqual(fields({ margin_absolute: '-0.5' }), []);
  });

  it('refuses a minimum of which nothing is left to pay out, and names it', () => {
    for (const changes of [
      { send_fee_fixed: 1000n },
      { mid_rate: '0.0001', rate_digits: 6 },
      { payout_step: 1000n },
    ]) {
      const errors = priceErrors(pair(changes));
      assert.match(errors['min_send'] ?? '', /At 10\.00 USD nothing is left/);
    }
    assert.deepEqual(fields({ payout_step: 1000n, min_send: 1099n }), []);
  });

  it('refuses a payout larger than the ledger can hold', () => {
    assert.deepEqual(fields({ mid_rate: '1000000', max_send: 10n ** 24n }), ['max_send']);
  });

  it('refuses percentages out of range or with too many decimals', () => {
    assert.deepEqual(fields({ margin_percent: '50.1' }), ['margin_percent']);
    assert.deepEqual(fields({ margin_percent: '-51' }), ['margin_percent']);
    assert.deepEqual(fields({ send_fee_percent: '51' }), ['send_fee.percent']);
    assert.deepEqual(fields({ receive_fee_percent: '0.1234567' }), ['receive_fee.percent']);
  });

  it('refuses tiers at which the payout would fall at any rate', () => {
    const tiers = (...margins: [string, string][]) => ({
      tiers: margins.map(([from, margin_percent]) => ({ from, margin_percent })),
    });
    assert.deepEqual(fields(tiers(['50000', '1'], ['100000', '0.5'], ['200000', '-0.1'])), []);
    assert.deepEqual(fields(tiers(['50000', '1.01'])), ['tiers.0.margin_percent']);
    assert.deepEqual(fields(tiers(['50000', '0.5'], ['100000', '0.500001'])), [
      'tiers.1.margin_percent',
    ]);
    // At two digits both give the same rate now, at another mid rate they would not.
    assert.deepEqual(fields({ ...tiers(['50000', '1.000001']), rate_digits: 2 }), [
      'tiers.0.margin_percent',
    ]);
    assert.deepEqual(fields(tiers(['0', '0.5'])), ['tiers.0.from']);
    assert.deepEqual(fields(tiers(['50000', '0.5'], ['50000', '0.4'])), ['tiers.1.from']);
    assert.deepEqual(fields(tiers(['50000', '-51'])), ['tiers.0.margin_percent']);
  });

  it('refuses bounds that contradict each other', () => {
    assert.deepEqual(fields({ send_fee_min: 2n, send_fee_max: 1n }), ['send_fee.max']);
    assert.deepEqual(fields({ receive_fee_min: 5n, receive_fee_max: 5n }), []);
    assert.deepEqual(fields({ rate_min: '1', rate_max: '0.9' }), ['rate_max']);
    assert.deepEqual(fields({ rate_min: '0' }), ['rate_min']);
    assert.deepEqual(fields({ payout_step: 0n }), ['payout_step']);
  });

  it('refuses limits that contradict each other or the currencies’', () => {
    assert.deepEqual(fields({ min_send: 0n }), ['min_send']);
    assert.deepEqual(fields({ min_send: 10n, max_send: 9n }), ['max_send']);
    assert.deepEqual(fields({ mid_rate: '0' }), ['mid_rate']);
    assert.deepEqual(fields(sides({}, { min_receive: 10n ** 9n })), ['max_send']);
  });
});

describe('the change of a rate', () => {
  const changed = (before: string, now: string) =>
    percentChange(parseDecimal(before), parseDecimal(now));

  it('is a percentage rounded half up to two decimals', () => {
    assert.equal(changed('100', '101.005'), '1.01');
    assert.equal(changed('100', '98.995'), '-1.00');
    assert.equal(changed('0.92', '0.92'), '0.00');
    assert.equal(changed('3', '2'), '-33.33');
    assert.equal(changed('0.000000000000000003', '0.000000000000000004'), '33.33');
    assert.equal(changed('1', '0.999999'), '0.00');
  });
});

describe('a valid pair', () => {
  const step = fc.integer({ min: 0, max: 400 });

  it('never pays out less for a larger amount, at any mid rate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), step), { maxLength: 4 }),
        fc.integer({ min: 1000, max: 30_000 }),
        fc.record({
          send_fee_min: fc.option(fc.bigInt({ min: 0n, max: 50n })),
          receive_fee_max: fc.option(fc.bigInt({ min: 0n, max: 50n })),
          payout_step: fc.option(fc.bigInt({ min: 1n, max: 50n })),
          rate_digits: fc.integer({ min: 0, max: 4 }),
        }),
        fc.integer({ min: 1, max: 9000 }),
        (drawn, mid, more, from) => {
          let [begins, margin] = [1000, 300];
          const tiers = drawn.map(([width, fall]) => {
            [begins, margin] = [begins + width, margin - fall];
            return { from: String(begins), margin_percent: hundredths(margin) };
          });
          const limited = pair({
            ...more,
            tiers,
            margin_percent: '3',
            mid_rate: `${Math.trunc(mid / 10_000)}.${String(mid % 10_000).padStart(4, '0')}`,
            send_fee_percent: '0.5',
            receive_fee_percent: '1',
            min_send: 1000n,
            max_send: 20_000n,
          });
          const priced = terms(limited);
          if (Object.keys(priceErrors(limited)).length > 0 || priced === null) return;
          for (const send of [BigInt(from) + 1000n, ...tiers.map((tier) => BigInt(tier.from) - 1n)])
            assert.ok(quoteSend(priced, send).payout <= quoteSend(priced, send + 1n).payout);
        },
      ),
    );
  });
});

/** 125 is `1.25`. */
function hundredths(value: number): string {
  const text = String(Math.abs(value)).padStart(3, '0');
  return `${value < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}
