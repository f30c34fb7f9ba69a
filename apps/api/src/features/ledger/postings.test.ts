import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as postings from './postings.ts';
import type { Entry, Figures } from './postings.ts';

const amount = (min: bigint) => fc.bigInt({ min, max: 10n ** 42n });

/** Valid figures: a fee below the amount, a mid rate above or below the price. */
const figures: fc.Arbitrary<Figures> = fc
  .record({
    send_minor: amount(2n),
    fee: fc.nat(99),
    payout_minor: amount(1n),
    receive_fee_minor: amount(0n),
    mid_value_minor: fc.option(amount(0n)),
  })
  .map(({ fee, ...rest }) => ({
    ...rest,
    send_currency_id: 'send',
    receive_currency_id: 'receive',
    send_fee_minor: (rest.send_minor * BigInt(fee)) / 100n,
  }));

/** Balances by `currency account`, with the constraints of the database. */
class Books {
  readonly #balances = new Map<string, bigint>();

  constructor(reserve: bigint) {
    this.post(postings.adjustment('send', reserve), postings.adjustment('receive', reserve));
  }

  post(...transactions: Entry[][]): this {
    for (const entries of transactions) {
      assertBalanced(entries);
      for (const { currency_id, account, amount: change } of entries) {
        const after = this.of(currency_id, account) + change;
        assert.ok(
          after >= 0n || !['available', 'held'].includes(account),
          `${account} is ${after}`,
        );
        this.#balances.set(`${currency_id} ${account}`, after);
      }
    }
    return this;
  }

  of(currency: string, account: Entry['account']): bigint {
    return this.#balances.get(`${currency} ${account}`) ?? 0n;
  }

  assertNothingOpen(): void {
    for (const currency of ['send', 'receive']) {
      assert.equal(this.of(currency, 'held'), 0n, `held ${currency}`);
      assert.equal(this.of(currency, 'customer'), 0n, `customer ${currency}`);
    }
  }
}

function assertBalanced(entries: readonly Entry[]): void {
  const sums = new Map<string, bigint>();
  for (const { currency_id, amount: change } of entries) {
    assert.notEqual(change, 0n);
    sums.set(currency_id, (sums.get(currency_id) ?? 0n) + change);
  }
  assert.deepEqual(
    [...sums.values()],
    [...sums.values()].map(() => 0n),
  );
}

const RESERVE = 10n ** 44n;

function holds(property: (exchange: Figures, other: bigint) => void): void {
  fc.assert(fc.property(figures, amount(1n), property), { numRuns: 500 });
}

describe('the postings', () => {
  it('sum to zero in each currency, whatever the figures', () => {
    holds((exchange, other) => {
      for (const entries of [
        postings.hold(exchange),
        postings.release(exchange),
        postings.moneyIn(exchange, other),
        postings.payoutRecalculated(exchange, other),
        postings.conversion(exchange, 0n),
        postings.payOut(exchange),
        postings.refundPaid(exchange, other, other / 7n),
        postings.tolerance(exchange, other),
        postings.tolerance(exchange, -other),
        postings.payoutBounced(exchange),
        postings.charged(exchange, other),
        postings.adjustment('send', -other),
      ]) {
        assertBalanced(entries);
      }
    });
  });

  it('name the spread so that what the desk earned adds up', () => {
    const entries = postings.conversion(
      {
        send_currency_id: 'send',
        receive_currency_id: 'receive',
        send_minor: 50_000n,
        send_fee_minor: 250n,
        payout_minor: 45_000n,
        receive_fee_minor: 100n,
        mid_value_minor: 45_800n,
      },
      0n,
    );
    assert.deepEqual(entries, [
      { currency_id: 'send', account: 'available', amount: 50_000n },
      { currency_id: 'send', account: 'held', amount: -50_000n },
      { currency_id: 'send', account: 'customer', amount: 50_000n },
      { currency_id: 'send', account: 'fees', amount: -250n },
      { currency_id: 'send', account: 'position', amount: -49_750n },
      { currency_id: 'receive', account: 'position', amount: 45_800n },
      { currency_id: 'receive', account: 'customer', amount: -45_000n },
      { currency_id: 'receive', account: 'fees', amount: -100n },
      { currency_id: 'receive', account: 'spread', amount: -700n },
    ]);
  });

  it('post no spread where there is no mid rate', () => {
    holds((exchange) => {
      const entries = postings.conversion({ ...exchange, mid_value_minor: null }, 0n);
      assert.ok(!entries.some(({ account }) => account === 'spread'));
    });
  });
});

describe('a life of an exchange', () => {
  it('completed: the payout leaves, the payment becomes reserve, nothing stays open', () => {
    holds((exchange) => {
      const books = new Books(RESERVE).post(
        postings.hold(exchange),
        postings.moneyIn(exchange, exchange.send_minor),
        postings.conversion(exchange, 0n),
        postings.payOut(exchange),
      );
      books.assertNothingOpen();
      assert.equal(books.of('send', 'available'), RESERVE + exchange.send_minor);
      assert.equal(books.of('receive', 'available'), RESERVE - exchange.payout_minor);
    });
  });

  it('cancelled, expired or rejected: as if it had never been', () => {
    holds((exchange) => {
      const books = new Books(RESERVE).post(postings.hold(exchange), postings.release(exchange));
      books.assertNothingOpen();
      assert.equal(books.of('receive', 'available'), RESERVE);
    });
  });

  it('refunded: only the charge stays', () => {
    holds((exchange, received) => {
      const charge = received / 10n;
      const books = new Books(RESERVE).post(
        postings.hold(exchange),
        postings.moneyIn(exchange, received),
        postings.release(exchange),
        postings.refundPaid(exchange, received, charge),
      );
      books.assertNothingOpen();
      assert.equal(books.of('receive', 'available'), RESERVE);
      assert.equal(books.of('send', 'available'), RESERVE + charge);
      assert.equal(books.of('send', 'fees'), -charge);
    });
  });

  it('paid too much and completed: the excess goes back', () => {
    holds((exchange, excess) => {
      const books = new Books(RESERVE).post(
        postings.hold(exchange),
        postings.moneyIn(exchange, exchange.send_minor + excess),
        postings.conversion(exchange, 0n),
        postings.payOut(exchange),
        postings.refundPaid(exchange, excess, 0n),
      );
      books.assertNothingOpen();
      assert.equal(books.of('send', 'available'), RESERVE + exchange.send_minor);
    });
  });

  it('recalculated, paid out, bounced and paid out again: one payout in the end', () => {
    holds((exchange, newPayout) => {
      const recalculated = { ...exchange, payout_minor: newPayout };
      const books = new Books(RESERVE).post(
        postings.hold(exchange),
        postings.moneyIn(exchange, exchange.send_minor),
        postings.payoutRecalculated(exchange, newPayout),
        postings.conversion(recalculated, 0n),
        postings.payOut(recalculated),
        postings.payoutBounced(recalculated),
        postings.charged(recalculated, 25n),
        postings.payOut(recalculated),
      );
      books.assertNothingOpen();
      assert.equal(books.of('receive', 'available'), RESERVE - newPayout - 25n);
      assert.equal(books.of('receive', 'costs'), 25n);
    });
  });

  it('within the tolerance: the desk bears what is short and keeps what is over', () => {
    holds((exchange, other) => {
      const short = other % exchange.send_minor;
      for (const tolerated of [-short, other]) {
        const books = new Books(RESERVE).post(
          postings.hold(exchange),
          postings.moneyIn(exchange, exchange.send_minor + tolerated),
          postings.conversion(exchange, tolerated),
          postings.tolerance(exchange, tolerated),
          postings.payOut(exchange),
        );
        books.assertNothingOpen();
        const received = exchange.send_minor + tolerated;
        assert.equal(books.of('send', 'available'), RESERVE + received);
        assert.equal(books.of('send', 'costs'), tolerated < 0n ? short : 0n);
      }
    });
  });

  it('refunded after its payout bounced: as if it had never been, but for the charges', () => {
    holds((exchange, other) => {
      const tolerated = other % 2n === 0n ? other : -(other % exchange.send_minor);
      const paid = exchange.send_minor + tolerated;
      const books = new Books(RESERVE).post(
        postings.hold(exchange),
        postings.moneyIn(exchange, paid),
        postings.conversion(exchange, tolerated),
        postings.tolerance(exchange, tolerated),
        postings.payOut(exchange),
        postings.payoutBounced(exchange),
        postings.reversed(postings.conversion(exchange, tolerated)),
        postings.reversed(postings.tolerance(exchange, tolerated)),
        postings.release(exchange),
        postings.refundPaid(exchange, paid, 0n),
      );
      books.assertNothingOpen();
      for (const account of ['fees', 'spread', 'costs', 'position'] as const) {
        assert.equal(books.of('send', account), 0n);
        assert.equal(books.of('receive', account), 0n);
      }
      assert.equal(books.of('send', 'available'), RESERVE);
      assert.equal(books.of('receive', 'available'), RESERVE);
    });
  });

  it('late: released, received after all, held again and completed', () => {
    holds((exchange) => {
      new Books(RESERVE)
        .post(
          postings.hold(exchange),
          postings.release(exchange),
          postings.moneyIn(exchange, exchange.send_minor),
          postings.hold(exchange),
          postings.conversion(exchange, 0n),
          postings.payOut(exchange),
        )
        .assertNothingOpen();
    });
  });
});
