import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuses } from '../test/oracle.ts';
import { formatAmount, maxMinor, parseAmount } from './amount.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import {
  customerRate,
  quoteReceive,
  quoteSend,
  quoteWithin,
  readTerms,
  writeQuote,
  type PriceTerms,
  type WireTerms,
} from './quote.ts';

const unbounded = { min: null, max: null };
const free = { fixed: '0', percent: '0', ...unbounded };

function terms(
  sendDecimals: number,
  receiveDecimals: number,
  more: Partial<WireTerms>,
): PriceTerms {
  return readTerms({
    send_decimals: sendDecimals,
    receive_decimals: receiveDecimals,
    rate: '1',
    tiers: [],
    mid_rate: null,
    send_fee: free,
    receive_fee: free,
    payout_step: formatAmount(1n, receiveDecimals),
    ...more,
  });
}

function sent(price: PriceTerms, amount: string) {
  return writeQuote(quoteSend(price, parseAmount(amount, price.sendDecimals)), price);
}

function wished(price: PriceTerms, amount: string) {
  return writeQuote(quoteReceive(price, parseAmount(amount, price.receiveDecimals)), price);
}

const usdToEur = terms(2, 2, {
  rate: '0.907815',
  mid_rate: '0.921640',
  send_fee: { ...unbounded, fixed: '1.00', percent: '0.5' },
  receive_fee: { ...unbounded, fixed: '0.25', percent: '0.1' },
});

describe('customerRate', () => {
  const rate = (mid: string, margin: string, digits: number, absolute = '0') =>
    formatDecimal(
      customerRate(parseDecimal(mid), parseDecimal(margin), parseDecimal(absolute), digits),
    );

  it('takes the margin off the mid and rounds down once', () => {
    assert.equal(rate('0.921640', '1.5', 6), '0.907815'); // 0.9078154
    assert.equal(rate('0.9999999', '0', 6), '0.999999');
    assert.equal(rate('155', '2', 4), '151.9000');
    // Rounding 0.95 × 0.9999 = 0.949905 to four digits first, to the nearest, would give 0.95.
    assert.equal(rate('0.95', '0.01', 2), '0.94');
  });

  it('favours the customer where the margin is negative', () => {
    assert.equal(rate('100', '-0.5', 2), '100.50');
  });

  it('may come to nothing, which quoting refuses', () => {
    assert.equal(rate('0.00000006', '1', 4), '0.0000');
    refuses('rate_not_positive', () => terms(0, 8, { rate: rate('0.00000006', '1', 4) }));
  });
});

describe('quoteSend', () => {
  it('shows every line of the formula', () => {
    assert.deepEqual(sent(usdToEur, '500.00'), {
      send_amount: '500.00',
      send_fee: '3.50', // 1.00 + 2.50
      exchanged_amount: '496.50',
      rate: '0.907815',
      gross_amount: '450.73', // 450.7301475
      receive_fee: '0.71', // 0.25 + 0.45073, up
      rounding: '0.00',
      receive_amount: '450.02',
    });
  });

  it('keeps what the ledger needs: the value at mid and the spread with its rounding', () => {
    const quote = quoteSend(usdToEur, 50_000n);
    assert.equal(quote.midValue, 45_759n); // 457.59426
    assert.equal(quote.spread, 45_759n - 45_002n - 71n);
  });

  it('has no spread without a mid, and a negative one where the customer gets more than mid', () => {
    const noMid = quoteSend({ ...usdToEur, mid: null }, 50_000n);
    assert.equal(noMid.midValue, null);
    assert.equal(noMid.spread, 0n);
    const gift = terms(2, 2, { rate: '1.01', mid_rate: '1' });
    assert.equal(quoteSend(gift, 10_000n).spread, -100n);
  });

  it('rounds each fee up and the payout down', () => {
    const price = terms(2, 2, {
      rate: '0.333333',
      send_fee: { ...unbounded, fixed: '0', percent: '0.001' },
      receive_fee: { ...unbounded, fixed: '0', percent: '0.001' },
    });
    const lines = sent(price, '1.00');
    assert.equal(lines.send_fee, '0.01');
    assert.equal(lines.gross_amount, '0.32'); // 0.99 × 0.333333 = 0.32999967
    assert.equal(lines.receive_fee, '0.01');
    assert.equal(lines.receive_amount, '0.31');
  });

  it('rounds no fee that is whole already', () => {
    const price = terms(2, 2, { send_fee: { ...unbounded, fixed: '0', percent: '1' } });
    assert.equal(sent(price, '100.00').send_fee, '1.00');
  });

  it('knows currencies of 0, 3, 8 and 18 decimals', () => {
    const jpyToKwd = terms(0, 3, {
      rate: '0.001973',
      send_fee: { ...unbounded, fixed: '150', percent: '0' },
    });
    assert.equal(sent(jpyToKwd, '100000').receive_amount, '197.004'); // 99850 × 0.001973 = 197.00405
    const btcToJpy = terms(8, 0, { rate: '15123456.78' });
    assert.equal(sent(btcToJpy, '0.00012345').receive_amount, '1866'); // 1866.99
    const kwdToEth = terms(3, 18, { rate: '0.000812345678901234' });
    assert.equal(sent(kwdToEth, '1.001').receive_amount, '0.000813158024580135');
    const ethToBtc = terms(18, 8, { rate: '0.0345678901' });
    assert.equal(sent(ethToBtc, '1.000000000000000001').receive_amount, '0.03456789');
  });

  it('refuses what would pay out less than one minor unit', () => {
    const btcToJpy = terms(8, 0, { rate: '15000000' });
    refuses('amount_too_small', () => quoteSend(btcToJpy, 6n)); // 0.9 JPY
    assert.equal(quoteSend(btcToJpy, 7n).payout, 1n);
  });

  it('refuses zero, negative amounts and what a fee eats up', () => {
    for (const send of [0n, -1n, -50_000n, 100n, 101n]) {
      refuses('amount_too_small', () => quoteSend(usdToEur, send));
    }
  });

  it('refuses any line above 10^24 major units, on either side and at mid', () => {
    const even = terms(18, 18, {});
    assert.equal(quoteSend(even, maxMinor(18)).payout, maxMinor(18));
    refuses('amount_too_large', () => quoteSend(even, maxMinor(18) + 1n));
    refuses('amount_too_large', () => quoteSend(terms(2, 2, { rate: '1.01' }), maxMinor(2)));
    const belowMid = terms(2, 2, { rate: '1', mid_rate: '1.01' });
    refuses('amount_too_large', () => quoteSend(belowMid, maxMinor(2)));
  });
});

describe('quoteReceive', () => {
  it('finds the least send, whose payout is shown and given', () => {
    const lines = wished(usdToEur, '450.00');
    assert.equal(lines.send_amount, '499.98');
    assert.equal(lines.receive_amount, '450.00');
    assert.ok(quoteSend(usdToEur, 49_997n).payout < 45_000n);
  });

  it('may give more than the wish, by what one send unit is worth', () => {
    const jpyToKwd = terms(0, 3, { rate: '0.001973' });
    const eurToJpy = terms(2, 0, { rate: '161.23' });
    assert.equal(wished(jpyToKwd, '0.001').receive_amount, '0.001');
    const lines = wished(eurToJpy, '100');
    assert.equal(lines.send_amount, '0.63');
    assert.equal(lines.receive_amount, '101'); // 0.62 gives 99
  });

  it('is exact with 18 decimals at 10^24', () => {
    const price = terms(18, 18, { rate: '0.999999999999999999' });
    const wish = 10n ** 41n + 1n;
    const quote = quoteReceive(price, wish);
    // wish / (1 − 10^-18) = wish + 10^23 + 10^5 + 1.0…, and the least send above it
    assert.equal(quote.send, wish + 10n ** 23n + 10n ** 5n + 1n);
    assert.equal(quote.payout, wish);
    assert.ok(quoteSend(price, quote.send - 1n).payout < wish);
  });

  it('refuses wishes below one minor unit and beyond the limits', () => {
    refuses('amount_too_small', () => quoteReceive(usdToEur, 0n));
    refuses('amount_too_small', () => quoteReceive(usdToEur, -1n));
    refuses('amount_too_large', () => quoteReceive(usdToEur, maxMinor(2)));
  });
});

describe('quoteWithin', () => {
  it('gives the largest payout within an amount, which its own payout then reaches', () => {
    for (const most of [1n, 99n, 100_00n, 123_456n]) {
      const quote = quoteWithin(usdToEur, most);
      const more = quote && quoteSend(usdToEur, quote.send + 1n);
      if (quote === null || more === null) {
        assert.ok(quoteReceive(usdToEur, 1n).payout > most);
        continue;
      }
      assert.ok(quote.payout <= most && more.payout > most);
      assert.equal(quoteReceive(usdToEur, quote.payout).payout, quote.payout);
    }
    assert.equal(quoteWithin(terms(0, 2, { rate: '3' }), 2_99n), null);
  });
});

describe('terms', () => {
  it('are refused where they price nothing', () => {
    refuses('rate_not_positive', () => terms(2, 2, { rate: '0' }));
    refuses('rate_not_positive', () => terms(2, 2, { rate: '-1' }));
    refuses('rate_not_positive', () => terms(2, 2, { mid_rate: '0.00' }));
    refuses('fee_out_of_range', () =>
      terms(2, 2, { send_fee: { ...unbounded, fixed: '0', percent: '100' } }),
    );
    refuses('fee_out_of_range', () =>
      terms(2, 2, { receive_fee: { ...unbounded, fixed: '0', percent: '-0.1' } }),
    );
    refuses('fee_out_of_range', () =>
      terms(2, 2, { receive_fee: { ...unbounded, fixed: '-0.01', percent: '0' } }),
    );
    refuses('too_many_decimals', () =>
      terms(0, 2, { send_fee: { ...unbounded, fixed: '0.5', percent: '0' } }),
    );
    refuses('decimals_out_of_range', () => terms(19, 2, {}));
    refuses('not_a_decimal', () => terms(2, 2, { rate: '1e5' }));
  });

  it('are refused also when they were not read from the wire', () => {
    const { rate, ...rest } = usdToEur;
    const nothing: PriceTerms = { ...rest, rate: { ...rate, units: 0n } };
    refuses('rate_not_positive', () => quoteSend(nothing, 50_000n));
    refuses('rate_not_positive', () => quoteReceive(nothing, 50_000n));
  });
});
