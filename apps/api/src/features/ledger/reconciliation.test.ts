/** The differences that reconciliation finds, with all triggers switched off. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '#kernel/id.ts';
import { openTestDatabase } from '#test/database.ts';
import { addLedgerCurrency, holdOf, stockLedger } from '#test/factories/ledger.ts';
import * as ledger from './ledger.ts';

const [usd, transactionId] = [newId(), newId()];
const { db } = await openTestDatabase({ after });
let gold = '';
let dollars = '';
before(async () => {
  gold = await addLedgerCurrency(db, 'GOLD');
  dollars = await addLedgerCurrency(db, 'USD');
  await stockLedger(db, gold, 25_000n);
  await holdOf(db, 25_000n, dollars, gold);
});

describe('reconcile', () => {
  it('finds nothing where the books agree with what exchanges expect', async () => {
    const open = [
      { currency_id: gold, held: 15_000n, owed: 0n },
      { currency_id: gold, held: 10_000n, owed: 0n },
    ];
    const result = await ledger.reconcile(db, 'whole', {
      openHolds: async () => open,
      misposted: async () => [],
    });
    assert.deepEqual(result.differences, []);
    assert.equal(result.balanced, true);
  });

  it('finds a hold without an open exchange, and customers’ money that is not owed', async () => {
    const result = await ledger.reconcile(db, 'whole', {
      openHolds: async () => [{ currency_id: dollars, held: 0n, owed: 70n }],
      misposted: async () => [
        { number: 'AB', slug: 'usd', decimals: 2, account: 'fees', expected: 1n, found: 0n },
      ],
    });
    const none = { exchange_number: null };
    assert.deepEqual(result.differences, [
      {
        currency: 'gold',
        what: 'held',
        account: 'held',
        ...none,
        expected: '0.00',
        found: '250.00',
      },
      {
        currency: 'usd',
        what: 'customer',
        account: 'customer',
        ...none,
        expected: '-0.70',
        found: '0.00',
      },
      {
        currency: 'usd',
        what: 'exchange',
        account: 'fees',
        exchange_number: 'AB',
        expected: '0.01',
        found: '0.00',
      },
    ]);
  });

  it('finds what went around the triggers', async () => {
    const tampered = await openTestDatabase({ after });
    await tampered.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into currencies (id, slug, unit, name, symbol, channel, kind, decimals, export_code)
        values (${usd}, 'usd', 'USD', 'USD', '$', 'Bank', 'bank', 2, 'USD')`;
      await tx`insert into ledger_accounts (currency_id, kind, balance) values (${usd}, 'available', 500)`;
      const [account] = await tx`select id from ledger_accounts`;
      await tx`insert into ledger_transactions (id, kind) values (${transactionId}, 'adjustment')`;
      await tx`insert into ledger_entries (id, transaction_id, account_id, currency_id, amount, balance_after)
        values (1, ${transactionId}, ${account?.['id']}, ${usd}, 300, 300)`;
      await tx`insert into ledger_entries (id, transaction_id, account_id, currency_id, amount, balance_after)
        values (2, ${transactionId}, ${account?.['id']}, ${usd}, -100, 500)`;
    });
    const { balanced, differences } = await ledger.reconcile(tampered.db, 'whole', {
      openHolds: async () => [],
      misposted: async () => [],
    });
    assert.equal(balanced, false);
    const found = { currency: 'usd', exchange_number: null };
    assert.deepEqual(differences, [
      { ...found, what: 'balance', account: 'available', expected: '2.00', found: '5.00' },
      { ...found, what: 'statement', account: 'available', expected: '2.00', found: '5.00' },
      { ...found, what: 'sum', account: null, expected: '0.00', found: '2.00' },
    ]);
  });
});
