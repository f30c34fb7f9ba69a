/** The constraints of the ledger in the database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import { transaction, violatedConstraint } from '#platform/db/database.ts';
import { openTestDatabase } from '#test/database.ts';
import {
  addLedgerCurrency,
  exchangeHead,
  figures,
  head,
  holdOf,
  ledgerBalances,
  stockLedger,
} from '#test/factories/ledger.ts';
import * as ledger from './ledger.ts';
import { adjustment, refundPaid } from './postings.ts';

const { db } = await openTestDatabase({ after }, 20);
let usd = '';
let eur = '';
before(async () => {
  usd = await addLedgerCurrency(db, 'USD');
  eur = await addLedgerCurrency(db, 'EUR');
  await stockLedger(db, usd, 100_000n);
  await stockLedger(db, eur, 100_000n);
});

describe('the database', () => {
  const restricted = { code: '23001' };

  it('refuses a balance that is changed directly', async () => {
    await assert.rejects(
      db
        .updateTable('ledger_accounts')
        .set({ balance: 5n })
        .where('currency_id', '=', usd)
        .execute(),
      restricted,
    );
  });

  it('refuses an account that opens with money in it', async () => {
    await assert.rejects(
      sql`insert into ledger_accounts (currency_id, kind, balance) values (${usd}, 'available', 5)`.execute(
        db,
      ),
      restricted,
    );
  });

  it('refuses accounts that are deleted, emptied or made into others', async () => {
    await assert.rejects(sql`delete from ledger_accounts`.execute(db), restricted);
    await assert.rejects(sql`truncate ledger_accounts cascade`.execute(db), restricted);
    await assert.rejects(sql`update ledger_accounts set kind = 'costs'`.execute(db), restricted);
  });

  it('refuses entries and transactions that are changed, deleted or truncated', async () => {
    for (const table of ['ledger_entries', 'ledger_transactions']) {
      const name = sql.table(table);
      await assert.rejects(sql`delete from ${name}`.execute(db), restricted);
      await assert.rejects(sql`truncate ${name} cascade`.execute(db), restricted);
    }
    await assert.rejects(
      sql`update ledger_entries set amount = amount * 2`.execute(db),
      restricted,
    );
    await assert.rejects(sql`update ledger_transactions set reason = 'x'`.execute(db), restricted);
  });

  it('refuses a transaction that does not sum to zero when it commits', async () => {
    const before = await ledgerBalances(db, usd);
    const unbalanced = transaction(db, (tx) =>
      ledger.post(tx, { ...head, kind: 'adjustment' }, [
        { currency_id: usd, account: 'available', amount: 100n },
        { currency_id: usd, account: 'adjustments', amount: -99n },
      ]),
    );
    await assert.rejects(
      unbalanced,
      (error) => violatedConstraint(error) === 'ledger_entries_balanced',
    );
    assert.deepEqual(await ledgerBalances(db, usd), before);
  });

  it('refuses a transaction without entries when it commits', async () => {
    await assert.rejects(
      sql`insert into ledger_transactions (id, kind, reason) values (${newId()}, 'adjustment', 'x')`.execute(
        db,
      ),
      { code: '23514', constraint_name: 'ledger_transactions_filled' },
    );
  });

  it('refuses a transaction that sums to zero only across currencies', async () => {
    const mixed = transaction(db, (tx) =>
      ledger.post(tx, { ...head, kind: 'adjustment' }, [
        { currency_id: usd, account: 'available', amount: 100n },
        { currency_id: eur, account: 'adjustments', amount: -100n },
      ]),
    );
    await assert.rejects(mixed, (error) => violatedConstraint(error) === 'ledger_entries_balanced');
  });

  it('refuses an overdraft also to a writer who goes around the feature', async () => {
    const raw = sql`
      with t as (insert into ledger_transactions (id, kind) values (${newId()}, 'adjustment') returning id)
      insert into ledger_entries (transaction_id, account_id, currency_id, amount)
      select t.id, a.id, a.currency_id, -1000000 from t, ledger_accounts a
      where a.currency_id = ${usd} and a.kind = 'available'`.execute(db);
    await assert.rejects(raw, (error) => violatedConstraint(error) === 'ledger_accounts_covered');
  });
});

describe('post', () => {
  it('keeps every digit of 18 decimals and of 10^24 units', async () => {
    const wei = await addLedgerCurrency(db, 'WEI', 18);
    const most = 10n ** 42n - 1n;
    await stockLedger(db, wei, most);
    assert.deepEqual(await ledgerBalances(db, wei), { available: most, adjustments: -most });
    assert.equal(await ledger.available(db, wei), most);
  });

  it('says which reserve does not cover it, and changes nothing', async () => {
    const before = await ledgerBalances(db, eur);
    const overdraft = holdOf(db, 100_001n, usd, eur);
    await assert.rejects(overdraft, (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.status, 409);
      assert.equal(error.code, 'insufficient_reserve');
      assert.match(error.message, /EUR \(Bank transfer\)/);
      return true;
    });
    assert.deepEqual(await ledgerBalances(db, eur), before);
  });

  it('does not pass an overdrawn hold off as a lack of reserve', async () => {
    const release = transaction(db, (tx) =>
      ledger.post(tx, { ...head, kind: 'release' }, ledger.release(figures(usd, eur, 999_999n))),
    );
    await assert.rejects(release, (error) => !(error instanceof Refusal));
  });

  it('posts each kind once for its cause, and again for another one of the same exchange', async () => {
    const exchange = figures(usd, eur, 100n);
    const own = exchangeHead();
    const bringIn = (cause: string) =>
      transaction(db, (tx) =>
        ledger.post(tx, { ...own, cause, kind: 'money_in' }, ledger.moneyIn(exchange, 500n)),
      );
    await bringIn('receipt:1');
    await assert.rejects(bringIn('receipt:1'), { status: 409, code: 'state_conflict' });
    await bringIn('receipt:2');
    await transaction(db, (tx) =>
      ledger.post(tx, { ...own, kind: 'excess_refund' }, refundPaid(exchange, 1000n, 0n)),
    );
  });

  it('refuses a posting for an exchange that names no cause', async () => {
    const own = { ...exchangeHead(), cause: null };
    const hold = transaction(db, (tx) =>
      ledger.post(tx, { ...own, kind: 'hold' }, ledger.hold(figures(usd, eur, 1n))),
    );
    await assert.rejects(
      hold,
      (error) => violatedConstraint(error) === 'ledger_transactions_caused',
    );
  });

  it('numbers an account’s entries so that they add up line by line', async () => {
    const silver = await addLedgerCurrency(db, 'SILVER');
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => stockLedger(db, silver, BigInt(at + 1))),
    );
    const { rows } = await sql<{ amount: bigint; balance_after: bigint }>`
      select e.amount, e.balance_after from ledger_entries e
      join ledger_accounts a on a.id = e.account_id
      where a.currency_id = ${silver} and a.kind = 'available' order by e.id`.execute(db);
    let balance = 0n;
    for (const { amount, balance_after } of rows) {
      balance += amount;
      assert.equal(balance_after, balance);
    }
    assert.equal(balance, 1830n);
  });

  it('refuses an entry whose account does not exist', async () => {
    const lost = transaction(db, (tx) =>
      ledger.post(tx, { ...head, kind: 'adjustment' }, adjustment(newId(), 5n)),
    );
    // The trigger finds no account to name.
    await assert.rejects(lost, { code: '22004' });
  });

  it('lets exactly 100 of 200 holds at once have a reserve for 100', async () => {
    const gold = await addLedgerCurrency(db, 'GOLD');
    await stockLedger(db, gold, 100n * 250n);
    const holds = await Promise.allSettled(
      Array.from({ length: 200 }, () => holdOf(db, 250n, usd, gold)),
    );
    const refused = holds.flatMap((hold) => (hold.status === 'rejected' ? [hold.reason] : []));
    assert.equal(holds.length - refused.length, 100);
    assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['insufficient_reserve']));
    assert.deepEqual(await ledgerBalances(db, gold), { held: 25_000n, adjustments: -25_000n });
  });

  it('completes exchanges of opposite directions at once without a deadlock', async () => {
    const complete = (send: string, receive: string) =>
      transaction(db, (tx) => {
        const exchange = figures(send, receive, 100n);
        const own = exchangeHead();
        return ledger.postTogether(tx, [
          { head: { ...own, kind: 'hold' }, entries: ledger.hold(exchange) },
          { head: { ...own, kind: 'money_in' }, entries: ledger.moneyIn(exchange, 1000n) },
          { head: { ...own, kind: 'conversion' }, entries: ledger.conversion(exchange, 0n) },
          { head: { ...own, kind: 'payout' }, entries: ledger.payOut(exchange) },
        ]);
      });
    const deadlocks = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
      return rows[0]?.deadlocks;
    };
    const before = await deadlocks();
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => (at % 2 ? complete(usd, eur) : complete(eur, usd))),
    );
    assert.equal(await deadlocks(), before);
    for (const currency of [usd, eur]) {
      const { held = 0n, customer = 0n } = await ledgerBalances(db, currency);
      assert.deepEqual([held, customer], [0n, 0n]);
    }
  });
});
