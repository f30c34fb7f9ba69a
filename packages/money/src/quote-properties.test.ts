/** What every quote keeps, whatever its terms, against the oracle. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  attempt,
  exact,
  Exact,
  feeByOracle,
  major,
  payoutByOracle,
  positive,
  prices,
  quoted,
  ROUND_FLOOR,
} from '../test/oracle.ts';
import { formatAmount, maxMinor, parseAmount } from './amount.ts';
import { formatDecimal } from './decimal.ts';
import {
  quoteReceive,
  quoteSend,
  readTerms,
  writeQuote,
  type Fee,
  type PriceTerms,
  type Quote,
} from './quote.ts';

const runs = { numRuns: 400 };

describe('a quote by the send side', () => {
  it('is the formula of the oracle, or refuses what the formula refuses', () => {
    fc.assert(
      fc.property(prices, positive(43), (terms, send) => {
        const quote = attempt(() => quoteSend(terms, send));
        const expected = payoutByOracle(terms, send);
        if (typeof quote === 'string' || typeof expected === 'string') {
          assert.equal(quote, expected);
        } else {
          assert.equal(
            formatAmount(quote.payout, terms.receiveDecimals),
            expected.toFixed(terms.receiveDecimals),
          );
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is the formula of the oracle also where every amount is one that is quoted', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const expected = payoutByOracle(terms, quote.send);
        assert.ok(typeof expected !== 'string', String(expected));
        assert.ok(major(quote.payout, terms.receiveDecimals).equals(expected));
      }),
      runs,
    );
  });

  it('shows arithmetic that reproduces the total', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const { sendDecimals, receiveDecimals } = terms;
        const lines = writeQuote(quote, terms);
        const read = (text: string) => new Exact(text);
        const sendFee = feeByOracle(read(lines.send_amount), terms.sendFee, sendDecimals);
        const exchanged = read(lines.send_amount).minus(read(lines.send_fee));
        const product = read(lines.exchanged_amount).times(read(lines.rate));
        const gross = product.toDecimalPlaces(receiveDecimals, ROUND_FLOOR);
        const receiveFee = feeByOracle(read(lines.gross_amount), terms.receiveFee, receiveDecimals);
        const payout = read(lines.gross_amount).minus(read(lines.receive_fee));
        assert.equal(lines.send_fee, sendFee.toFixed(sendDecimals));
        assert.equal(lines.exchanged_amount, exchanged.toFixed(sendDecimals));
        assert.equal(lines.gross_amount, gross.toFixed(receiveDecimals));
        assert.equal(lines.receive_fee, receiveFee.toFixed(receiveDecimals));
        assert.equal(lines.receive_amount, payout.toFixed(receiveDecimals));
      }),
      runs,
    );
  });

  it('leaves the ledger nothing over: M = P + G + X, with M at mid rounded down', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const { payout, receiveFee, spread, gross, midValue } = quote;
        assert.equal(midValue ?? gross, payout + receiveFee + spread);
        if (terms.mid === null || midValue === null) {
          assert.equal(midValue, terms.mid);
          assert.equal(spread, 0n);
          return;
        }
        const atMid = major(quote.exchanged, terms.sendDecimals).times(exact(terms.mid));
        const expected = atMid.toDecimalPlaces(terms.receiveDecimals, ROUND_FLOOR);
        assert.ok(major(midValue, terms.receiveDecimals).equals(expected));
      }),
      runs,
    );
  });

  it('never pays less for more', () => {
    const steps = fc.oneof(fc.bigInt({ min: 1n, max: 200n }), positive(30));
    fc.assert(
      fc.property(quoted, steps, ({ terms, quote }, step) => {
        const more = attempt(() => quoteSend(terms, quote.send + step));
        // The only refusal above an amount that is quoted is the limit.
        if (typeof more === 'string') assert.equal(more, 'amount_too_large');
        else assert.ok(more.payout >= quote.payout, `${more.payout} < ${quote.payout}`);
      }),
      { numRuns: 800 },
    );
  });
});

describe('a quote by the receive side', () => {
  it('agrees with the send side: the same payout for no more than was sent', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const back = quoteReceive(terms, quote.payout);
        assert.equal(back.payout, quote.payout);
        assert.ok(back.send <= quote.send, `${back.send} > ${quote.send}`);
        assert.deepEqual(quoteSend(terms, back.send), back);
      }),
      runs,
    );
  });

  it('asks for the least send: the wish is reached, and one unit less misses it', () => {
    fc.assert(
      fc.property(quoted, fc.bigInt({ min: 0n, max: 10n ** 45n }), ({ terms, quote }, seed) => {
        // Any wish between one unit and a payout that is quoted, not only payouts.
        const wish = 1n + (seed % quote.payout);
        const found = quoteReceive(terms, wish);
        assert.ok(found.payout >= wish, `${found.payout} < ${wish}`);
        const less = attempt(() => quoteSend(terms, found.send - 1n));
        if (typeof less === 'string') assert.equal(less, 'amount_too_small');
        else assert.ok(less.payout < wish, `${less.payout} for one unit less reaches ${wish}`);
      }),
      { numRuns: 800 },
    );
  });

  it('refuses as too large only what no allowed send reaches', () => {
    fc.assert(
      fc.property(prices, positive(42), (terms, wish) => {
        const found = attempt(() => quoteReceive(terms, wish));
        if (typeof found !== 'string') return;
        assert.equal(found, 'amount_too_large');
        const most = largestQuoted(terms);
        assert.ok(most === null || most.payout < wish);
      }),
      runs,
    );
  });
});

/** By bisection on the refusals: too small, then quoted, then too large, as the send rises. */
function largestQuoted(terms: PriceTerms): Quote | null {
  let [low, high] = [0n, maxMinor(terms.sendDecimals) + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (attempt(() => quoteSend(terms, middle)) === 'amount_too_large') high = middle;
    else low = middle;
  }
  const most = attempt(() => quoteSend(terms, low));
  return typeof most === 'string' ? null : most;
}

describe('the wire form', () => {
  it('keeps every digit of terms and lines', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const wireFee = (fee: Fee, decimals: number) => ({
          fixed: formatAmount(fee.fixed, decimals),
          percent: formatDecimal(fee.percent),
        });
        const wire = {
          send_decimals: terms.sendDecimals,
          receive_decimals: terms.receiveDecimals,
          rate: formatDecimal(terms.rate),
          mid_rate: terms.mid && formatDecimal(terms.mid),
          send_fee: wireFee(terms.sendFee, terms.sendDecimals),
          receive_fee: wireFee(terms.receiveFee, terms.receiveDecimals),
        };
        assert.deepEqual(readTerms(JSON.parse(JSON.stringify(wire))), terms);
        const lines = writeQuote(quote, terms);
        assert.equal(parseAmount(lines.send_amount, terms.sendDecimals), quote.send);
        assert.equal(parseAmount(lines.receive_amount, terms.receiveDecimals), quote.payout);
      }),
      runs,
    );
  });
});
