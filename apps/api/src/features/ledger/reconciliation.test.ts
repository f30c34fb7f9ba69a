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
      await tx`insert into ledger_entries (transaction_id, account_id, currency_id, amount, balance_after)
        values (${transactionId}, ${account?.['id']}, ${usd}, 300, 300)`;
    });
    const { balanced, differences } = await ledger.reconcile(tampered.db, async () => []);
    assert.equal(balanced, false);
    assert.deepEqual(differences, [
      { currency: 'usd', what: 'balance', account: 'available', expected: '3.00', found: '5.00' },
      { currency: 'usd', what: 'sum', account: null, expected: '0.00', found: '3.00' },
    ]);
  });
});
