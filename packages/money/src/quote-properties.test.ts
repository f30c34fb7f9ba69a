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
  rateByOracle,
  ROUND_FLOOR,
  smallPrices,
} from '../test/oracle.ts';
import { formatAmount, maxMinor, parseAmount } from './amount.ts';
import { compare, formatDecimal } from './decimal.ts';
import type { Fee } from './fee.ts';
import {
  quoteReceive,
  quoteSend,
  readTerms,
  writeQuote,
  type PriceTerms,
  type Quote,
} from './quote.ts';

const runs = { numRuns: 400 };
/** No tier pays less than the one below it, as the desk's editor asks for. */
const rising = quoted.filter(({ terms: { rate, tiers } }) =>
  tiers.every((tier, index) => compare(tier.rate, tiers[index - 1]?.rate ?? rate) >= 0),
);

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
        const left = read(lines.gross_amount).minus(read(lines.receive_fee));
        const payout = left.minus(read(lines.rounding));
        assert.equal(lines.send_fee, sendFee.toFixed(sendDecimals));
        assert.equal(lines.exchanged_amount, exchanged.toFixed(sendDecimals));
        assert.equal(lines.gross_amount, gross.toFixed(receiveDecimals));
        assert.equal(lines.receive_fee, receiveFee.toFixed(receiveDecimals));
        assert.equal(lines.receive_amount, payout.toFixed(receiveDecimals));
        assert.equal(lines.rate, formatDecimal(rateByOracle(terms, quote.send)));
        assert.equal(quote.payout % terms.payoutStep, 0n);
        assert.ok(quote.rounding >= 0n && quote.rounding < terms.payoutStep);
      }),
      runs,
    );
  });

  it('leaves the ledger nothing over: M = P + G + X, with M at mid rounded down', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        const { payout, receiveFee, spread, midValue } = quote;
        assert.equal(midValue ?? payout + receiveFee, payout + receiveFee + spread);
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

  it('never pays less for more, as long as no tier has a lower rate', () => {
    const steps = fc.oneof(fc.bigInt({ min: 1n, max: 200n }), positive(30));
    fc.assert(
      fc.property(rising, steps, ({ terms, quote }, step) => {
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
      fc.property(rising, ({ terms, quote }) => {
        const back = quoteReceive(terms, quote.payout);
        assert.equal(back.payout, quote.payout);
        assert.ok(back.send <= quote.send, `${back.send} > ${quote.send}`);
        assert.deepEqual(quoteSend(terms, back.send), back);
      }),
      runs,
    );
  });

  it('asks for the least send: the wish is reached, and nothing below reaches it', () => {
    fc.assert(
      fc.property(quoted, fc.bigInt({ min: 0n, max: 10n ** 45n }), ({ terms, quote }, seed) => {
        // Any wish between one unit and a payout that is quoted, not only payouts.
        const wish = 1n + (seed % quote.payout);
        const found = quoteReceive(terms, wish);
        assert.ok(found.payout >= wish, `${found.payout} < ${wish}`);
        // The payout rises between two borders, so each stretch's most is at its end.
        const borders = terms.tiers.map(({ from }) => from).filter((from) => from < found.send);
        for (const end of [...borders, found.send]) {
          const less = attempt(() => quoteSend(terms, end - 1n));
          if (typeof less === 'string') {
            const most = largestQuoted(terms, end - 1n);
            assert.ok(most === null || most.payout < wish);
          } else assert.ok(less.payout < wish, `${less.payout} for ${end - 1n} reaches ${wish}`);
        }
      }),
      { numRuns: 800 },
    );
  });

  it('finds what trying every amount finds, with tiers that pay less too', () => {
    let fell = 0;
    const wishes = fc.bigInt(1n, 250n);
    fc.assert(
      fc.property(smallPrices, wishes, (terms, wish) => {
        const tried = leastByTrying(terms, wish);
        if (tried === null) return;
        const found = quoteReceive(terms, wish);
        assert.equal(found.send, tried.send);
        assert.equal(found.payout, tried.payout);
        const next = terms.tiers.find(({ from }) => from > found.send);
        const beyond = next && attempt(() => quoteSend(terms, next.from));
        if (typeof beyond === 'object' && beyond.payout < wish) fell += 1;
      }),
      { numRuns: 1000 },
    );
    assert.ok(fell > 0, 'no wish was met below a border at which it is missed again');
  });

  it('refuses as too large only what no allowed send reaches', () => {
    fc.assert(
      fc.property(prices, positive(42), (terms, wish) => {
        const found = attempt(() => quoteReceive(terms, wish));
        if (typeof found !== 'string') return;
        assert.equal(found, 'amount_too_large');
        const ends = terms.tiers.map(({ from }) => from - 1n);
        for (const end of [...ends, maxMinor(terms.sendDecimals)]) {
          const most = largestQuoted(terms, end);
          assert.ok(most === null || most.payout < wish);
        }
      }),
      runs,
    );
  });
});

/**
 * The largest quoted up to `end` at the rate that holds there, by bisection on
 * the refusals: too small, then quoted, then too large, as the send rises.
 */
function largestQuoted(terms: PriceTerms, end: bigint): Quote | null {
  const below = terms.tiers.findLast(({ from }) => from <= end)?.from ?? 1n;
  let [low, high] = [below - 1n, end + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (attempt(() => quoteSend(terms, middle)) === 'amount_too_large') high = middle;
    else low = middle;
  }
  const most = low < below ? 'none' : attempt(() => quoteSend(terms, low));
  return typeof most === 'string' ? null : most;
}

/** Every amount from one unit on, by the oracle's formula. */
function leastByTrying(terms: PriceTerms, wish: bigint): { send: bigint; payout: bigint } | null {
  for (let send = 1n; send <= 400n; send += 1n) {
    const expected = payoutByOracle(terms, send);
    if (typeof expected === 'string') continue;
    const payout = parseAmount(expected.toFixed(terms.receiveDecimals), terms.receiveDecimals);
    if (payout >= wish) return { send, payout };
  }
  return null;
}

describe('the wire form', () => {
  it('keeps every digit of terms and lines', () => {
    fc.assert(
      fc.property(quoted, ({ terms, quote }) => {
        fc.pre(terms.tiers.every(({ from }) => from <= maxMinor(terms.sendDecimals)));
        const bound = (minor: bigint | null, decimals: number) =>
          minor === null ? null : formatAmount(minor, decimals);
        const wireFee = (fee: Fee, decimals: number) => ({
          fixed: formatAmount(fee.fixed, decimals),
          percent: formatDecimal(fee.percent),
          min: bound(fee.min, decimals),
          max: bound(fee.max, decimals),
        });
        const wire = {
          send_decimals: terms.sendDecimals,
          receive_decimals: terms.receiveDecimals,
          rate: formatDecimal(terms.rate),
          tiers: terms.tiers.map(({ from, rate }) => ({
            from: formatAmount(from, terms.sendDecimals),
            rate: formatDecimal(rate),
          })),
          mid_rate: terms.mid && formatDecimal(terms.mid),
          send_fee: wireFee(terms.sendFee, terms.sendDecimals),
          receive_fee: wireFee(terms.receiveFee, terms.receiveDecimals),
          payout_step: formatAmount(terms.payoutStep, terms.receiveDecimals),
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
