/** What tiers, bounds of fees and payout steps do, in figures that can be followed by hand. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuses } from '../test/oracle.ts';
import { maxMinor, parseAmount } from './amount.ts';
import type { WireFee } from './fee.ts';
import {
  quoteReceive,
  quoteSend,
  readTerms,
  writeQuote,
  type PriceTerms,
  type WireTerms,
} from './quote.ts';

const fee = (changes: Partial<WireFee> = {}): WireFee => ({
  fixed: '0',
  percent: '0',
  min: null,
  max: null,
  ...changes,
});

/** USD to EUR at 0.92, without fees. */
function terms(changes: Partial<WireTerms> = {}): PriceTerms {
  return readTerms({
    send_decimals: 2,
    receive_decimals: 2,
    rate: '0.92',
    tiers: [],
    mid_rate: null,
    send_fee: fee(),
    receive_fee: fee(),
    payout_step: '0.01',
    ...changes,
  });
}

const sent = (price: PriceTerms, amount: string) =>
  writeQuote(quoteSend(price, parseAmount(amount, price.sendDecimals)), price);
const wished = (price: PriceTerms, amount: string) =>
  writeQuote(quoteReceive(price, parseAmount(amount, price.receiveDecimals)), price);

describe('tiers', () => {
  const better = terms({
    tiers: [
      { from: '1000', rate: '0.93' },
      { from: '5000.00', rate: '0.94' },
    ],
  });

  it('give the whole amount their rate, from their very first unit on', () => {
    assert.equal(sent(better, '999.99').receive_amount, '919.99');
    assert.equal(sent(better, '1000.00').receive_amount, '930.00');
    assert.equal(sent(better, '4999.99').rate, '0.93');
    assert.equal(sent(better, '5000.00').receive_amount, '4700.00');
  });

  it('go by what is sent, not by what is left after the fee', () => {
    const dear = { ...better, sendFee: { ...better.sendFee, fixed: 10_000n } };
    assert.equal(sent(dear, '1000.00').receive_amount, '837.00'); // 900 × 0.93
  });

  it('are begun at their border for a wish that lies in the jump', () => {
    assert.equal(wished(better, '919.99').send_amount, '999.99');
    const jump = wished(better, '920.00');
    assert.deepEqual([jump.send_amount, jump.receive_amount], ['1000.00', '930.00']);
  });

  it('are passed over where they pay less: the least send may lie below or far above', () => {
    const worse = terms({ tiers: [{ from: '1000', rate: '0.50' }] });
    assert.equal(wished(worse, '919.99').send_amount, '999.99');
    assert.equal(wished(worse, '500.00').send_amount, '543.48');
    assert.equal(wished(worse, '920.00').send_amount, '1840.00');
  });

  it('are tried further where the lines of a lower one are too large to count', () => {
    const limit = maxMinor(0);
    const price: PriceTerms = {
      ...terms(),
      sendDecimals: 0,
      receiveDecimals: 0,
      rate: { units: 3n, scale: 0 },
      tiers: [{ from: (limit / 10n) * 4n, rate: { units: 2n, scale: 0 } }],
    };
    // At 3 the least gross that reaches the limit is two units above it.
    refuses('amount_too_large', () => quoteSend(price, limit / 3n + 1n));
    const quote = quoteReceive(price, limit);
    assert.deepEqual([quote.send, quote.payout], [limit / 2n, limit]);
  });
});

describe('the bounds of a fee', () => {
  const bounded = terms({ send_fee: fee({ fixed: '0.50', percent: '1', min: '2', max: '10' }) });

  it('hold the fixed part and the percentage together', () => {
    const feeOf = (amount: string) => sent(bounded, amount).send_fee;
    assert.equal(feeOf('100.00'), '2.00'); // 1.50
    assert.equal(feeOf('150.01'), '2.01'); // 2.0001, up
    assert.equal(feeOf('949.99'), '10.00'); // 9.9999, up
    assert.equal(feeOf('5000.00'), '10.00'); // 50.50
  });

  it('are undone exactly from the receive side, at the minimum, between, and at the maximum', () => {
    for (const amount of ['2.02', '100.00', '151.52', '500.00', '950.51', '5000.00']) {
      const { receive_amount } = sent(bounded, amount);
      const back = wished(bounded, receive_amount);
      assert.equal(back.receive_amount, receive_amount);
      const send = parseAmount(back.send_amount, 2);
      assert.ok(send <= parseAmount(amount, 2));
      if (send > 202n)
        assert.ok(quoteSend(bounded, send - 1n).payout < parseAmount(receive_amount, 2));
    }
  });

  it('may take all of a small amount', () => {
    refuses('amount_too_small', () => sent(bounded, '2.00'));
  });

  it('may be one and the same, or nothing', () => {
    assert.equal(
      sent(terms({ send_fee: fee({ percent: '1', min: '3', max: '3' }) }), '900').send_fee,
      '3.00',
    );
    assert.equal(
      sent(terms({ send_fee: fee({ percent: '1', max: '0' }) }), '900').send_fee,
      '0.00',
    );
  });
});

describe('the payout step', () => {
  const notes = terms({ payout_step: '5', receive_fee: fee({ fixed: '1.00' }), mid_rate: '0.93' });

  it('is what the payout is a multiple of; what it cuts off is a line of its own', () => {
    const lines = sent(notes, '100.00');
    assert.deepEqual(
      [lines.gross_amount, lines.receive_fee, lines.rounding, lines.receive_amount],
      ['92.00', '1.00', '1.00', '90.00'],
    );
    assert.equal(sent(notes, '98.92').rounding, '0.00'); // 91.00 − 1.00
  });

  it('is reached by the least send for a wish between two steps', () => {
    const lines = wished(notes, '86.01');
    assert.deepEqual([lines.send_amount, lines.receive_amount], ['98.92', '90.00']);
    assert.equal(sent(notes, '98.91').receive_amount, '85.00');
  });

  it('leaves what it cuts off to the spread', () => {
    const quote = quoteSend(notes, 10_000n);
    assert.equal(quote.spread, 9_300n - 9_000n - 100n);
  });

  it('refuses what would pay less than one step', () => {
    refuses('amount_too_small', () => sent(notes, '6.52')); // 5.99 − 1.00
    assert.equal(sent(notes, '6.53').receive_amount, '5.00');
  });
});

describe('terms with tiers, bounds and a step', () => {
  it('are refused where they price nothing', () => {
    const tier = (from: string, rate = '0.9') => ({ from, rate });
    refuses('tiers_out_of_order', () => terms({ tiers: [tier('0')] }));
    refuses('tiers_out_of_order', () => terms({ tiers: [tier('20'), tier('10')] }));
    refuses('tiers_out_of_order', () => terms({ tiers: [tier('20'), tier('20.00')] }));
    refuses('rate_not_positive', () => terms({ tiers: [tier('20', '0')] }));
    refuses('too_many_decimals', () => terms({ tiers: [tier('20.001')] }));
    refuses('fee_out_of_range', () => terms({ send_fee: fee({ min: '-1' }) }));
    refuses('fee_out_of_range', () => terms({ send_fee: fee({ max: '-1' }) }));
    refuses('fee_out_of_range', () => terms({ receive_fee: fee({ min: '2', max: '1.99' }) }));
    refuses('step_not_positive', () => terms({ payout_step: '0' }));
    refuses('too_many_decimals', () => terms({ payout_step: '0.001' }));
  });
});
