/** What reconciliation finds although every trigger was switched off. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newId } from '#kernel/id.ts';
import { openTestDatabase } from '#test/database.ts';
import * as ledger from './ledger.ts';

const [usd, transactionId] = [newId(), newId()];

describe('reconcile', () => {
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
    const { balanced, differences } = await ledger.reconcile(tampered.db, {
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
