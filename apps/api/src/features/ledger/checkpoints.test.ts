/** Reconciliation since a checkpoint misses no entry, and its checkpoints cannot be changed. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { transaction } from '#platform/db/database.ts';
import { openTestDatabase } from '#test/database.ts';
import { addLedgerCurrency, head, stockLedger } from '#test/factories/ledger.ts';
import * as ledger from './ledger.ts';
import { adjustment } from './postings.ts';

const { db, sql: plain } = await openTestDatabase({ after }, 20);
let silver = '';
let copper = '';
before(async () => {
  silver = await addLedgerCurrency(db, 'SILVER');
  copper = await addLedgerCurrency(db, 'COPPER');
  await stockLedger(db, silver, 1000n);
  await reconcile('whole');
});

const reconcile = (scope: ledger.Scope = 'since_checkpoint') =>
  ledger.reconcile(db, scope, { openHolds: async () => [], misposted: async () => [] });
const found = async (scope?: ledger.Scope) =>
  (await reconcile(scope)).differences.map(({ currency, what }) => `${currency} ${what}`);

/** Changes the ledger around its triggers, and returns the way back. */
async function tamper(change: string, back: string): Promise<() => Promise<unknown>> {
  const run = (statement: string) =>
    plain.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(statement);
    });
  await run(change);
  return () => run(back);
}

const entriesOf = async (currency: string): Promise<number[]> => {
  const rows = await plain`select id from ledger_entries e where currency_id = ${currency}
    and account_id = (select id from ledger_accounts
      where currency_id = e.currency_id and kind = 'available') order by id`;
  return rows.map((row) => row['id'] as number);
};

describe('a reconciliation since the checkpoint', () => {
  it('reads an entry that commits after a checkpoint with later entries', async () => {
    const [posted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = transaction(db, async (tx) => {
      await ledger.post(tx, { ...head, kind: 'adjustment' }, adjustment(copper, 50n));
      posted.resolve();
      await release.promise;
    });
    await posted.promise;
    await stockLedger(db, silver, 10n);
    assert.deepEqual(await found(), []);
    release.resolve();
    await slow;
    const [late] = await entriesOf(copper);
    const last = (await entriesOf(silver)).at(-1);
    assert.ok(late && last && late < last, 'the late entry has the smaller number');
    const change = (by: string) =>
      `update ledger_entries set balance_after = balance_after ${by} where id = ${late}`;
    const restore = await tamper(change('+ 1'), change('- 1'));
    assert.deepEqual(await found(), ['copper statement']);
    await restore();
    assert.deepEqual(await found(), []);
  });

  it('finds books that agree at every moment of many postings', async () => {
    const postings = Array.from({ length: 120 }, (_, at) =>
      stockLedger(db, at % 2 ? silver : copper, BigInt(at + 1)),
    );
    let isOver = false;
    const all = Promise.all(postings).finally(() => (isOver = true));
    const results = [await reconcile()];
    while (!isOver) results.push(await reconcile());
    await all;
    results.push(await reconcile());
    for (const { scope, differences } of results)
      assert.deepEqual([scope, differences], ['since_checkpoint', []]);
    const { rows } = await sql`
      select a.id from ledger_accounts a join ledger_checkpoint_balances b
        on b.account_id = a.id and checkpoint_id = (select max(id) from ledger_checkpoints)
      where b.balance <> a.balance or b.last_entry_id
        <> (select max(id) from ledger_entries where account_id = a.id)`.execute(db);
    assert.deepEqual(rows, [], 'the last checkpoint contains every entry');
    assert.deepEqual(await found('whole'), [], 'each checkpoint is the balance after its entry');
  });

  it('writes no checkpoint where books differ or nothing was posted', async () => {
    const count = async () => (await plain`select from ledger_checkpoints`).length;
    const before = await count();
    await reconcile();
    assert.equal(await count(), before);
    await stockLedger(db, silver, 1n);
    const change = (by: string) => `update ledger_accounts set balance = balance ${by}
      where kind = 'fees' and currency_id = '${silver}'`;
    const restore = await tamper(change('+ 1'), change('- 1'));
    assert.deepEqual(await found(), ['silver balance']);
    assert.deepEqual(await found(), ['silver balance']);
    assert.equal(await count(), before);
    await restore();
    await reconcile();
    assert.equal(await count(), before + 1);
  });
});

describe('a reconciliation of the whole ledger', () => {
  it('finds manipulated entries from before the checkpoint', async () => {
    const [first] = await entriesOf(silver);
    const change = (by: string) =>
      `update ledger_entries set amount = amount ${by} where id = ${first}`;
    const restore = await tamper(change('- 1'), change('+ 1'));
    assert.deepEqual(await found(), []);
    assert.deepEqual(await found('whole'), ['silver balance', 'silver statement', 'silver sum']);
    await restore();
    assert.deepEqual(await found('whole'), []);
  });

  it('finds a history that was rewritten without a contradiction', async () => {
    const ids = (await entriesOf(silver)).join(', ');
    const rewrite = (by: string) => `
      update ledger_entries set balance_after = balance_after ${by} where id in (${ids});
      update ledger_entries set amount = amount ${by} where id = (select min(id) from ledger_entries where id in (${ids}));
      update ledger_accounts set balance = balance ${by}
        where id = (select account_id from ledger_entries where id in (${ids}) limit 1)`;
    const restore = await tamper(rewrite('+ 5'), rewrite('- 5'));
    const kinds = new Set(await found('whole'));
    assert.deepEqual(kinds, new Set(['silver checkpoint', 'silver sum']));
    await restore();
    assert.deepEqual(await found('whole'), []);
  });
});

describe('checkpoints', () => {
  it('are never changed, and the last ones are never deleted', async () => {
    const restricted = { code: '23001' };
    for (const attempt of [
      `update ledger_checkpoints set verified_at = now()`,
      `update ledger_checkpoint_balances set balance = 0`,
      `truncate ledger_checkpoints cascade`,
      `truncate ledger_checkpoint_balances`,
      `delete from ledger_checkpoint_balances`,
      `delete from ledger_checkpoints`,
      `delete from ledger_checkpoints where id = (select max(id) from ledger_checkpoints)`,
    ])
      await assert.rejects(plain.unsafe(attempt), restricted, attempt);
    await reconcile('whole');
    await stockLedger(db, silver, 1n);
    await reconcile();
    await assert.rejects(
      plain`delete from ledger_checkpoints where id =
        (select max(id) from ledger_checkpoints where scope = 'whole')`,
      restricted,
    );
    await ledger.deleteOldCheckpoints(db, -1);
    const left = await plain`select scope from ledger_checkpoints order by id`;
    assert.deepEqual(
      left.map((row) => row['scope']),
      ['whole', 'since_checkpoint'],
    );
  });

  it('have only balances that an entry of the account has', async () => {
    await assert.rejects(
      plain`insert into ledger_checkpoint_balances (checkpoint_id, account_id, last_entry_id, balance)
        select (select min(id) from ledger_checkpoints), account_id, id, balance_after + 1
        from ledger_entries limit 1`,
      { code: '23514', constraint_name: 'ledger_checkpoint_balances_entry' },
    );
  });
});
