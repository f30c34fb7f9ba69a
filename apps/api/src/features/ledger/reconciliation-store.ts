/**
 * SQL of reconciliation. `checkpoint` is the id of the one to go on from; with null everything is read from
 * the first entry.
 */
import { sql } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import { allowStatements, transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { LedgerCheckpointsTable } from '#platform/db/tables.generated.ts';
import type { AccountKind } from './postings.ts';

type Checkpoint = number | null;
type Scope = LedgerCheckpointsTable['scope'];

/** The planner cannot know that few entries follow a checkpoint: it assumes a third of all. */
export async function prepare(tx: Tx, checkpoint: Checkpoint): Promise<void> {
  await allowStatements(tx, checkpoint === null ? 30 * MINUTE : MINUTE);
  if (checkpoint === null) return;
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(
    tx,
  );
}

/** With the time of the snapshot. */
export async function findCheckpoint(tx: Tx) {
  const { rows } = await sql<{ at: Date; last: Checkpoint; whole_verified_at: Date | null }>`
    select now() as at, (select max(id) from ledger_checkpoints) as last, (
      select verified_at from ledger_checkpoints where scope = 'whole' order by id desc limit 1
    ) as whole_verified_at`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no time.');
  return row;
}

/** Accounts with what was verified of them. */
const accountsAt = (checkpoint: Checkpoint) => sql`(
  select a.*, c.slug, c.decimals, coalesce(b.last_entry_id, 0) as last_entry_id,
    coalesce(b.balance, 0) as verified
  from ledger_accounts a
  join currencies c on c.id = a.currency_id
  left join ledger_checkpoint_balances b
    on b.account_id = a.id and b.checkpoint_id = ${checkpoint}::bigint)`;

/**
 * Entries with what was `verified` of their account. `offset` makes an index be read for each account, and the pair that
 * it is the one of accounts: by that of ids an account without new entries would read all that came since its last.
 */
const entriesAfter = (checkpoint: Checkpoint) =>
  checkpoint === null
    ? sql`(select *, 0::numeric as verified from ledger_entries)`
    : sql`(
        select e.*, a.verified from ${accountsAt(checkpoint)} a cross join lateral (
          select * from ledger_entries
          where (account_id, id) > (a.id, a.last_entry_id) and account_id <= a.id offset 0) e)`;

export interface AccountState {
  slug: string;
  decimals: number;
  id: number;
  account: AccountKind;
  balance: bigint;
  /** The verified balance and the later entries. */
  entered: bigint;
  /** 0 without entries. */
  last_entry_id: number;
  entries: number;
}

export async function listAccountStates(tx: Tx, checkpoint: Checkpoint) {
  const { rows } = await sql<AccountState>`
    select a.slug, a.decimals, a.id, a.kind as account, a.balance,
      a.verified + coalesce(e.amount, 0) as entered,
      coalesce(e.last_id, a.last_entry_id) as last_entry_id, coalesce(e.entries, 0) as entries
    from ${accountsAt(checkpoint)} a
    left join (
      select account_id, sum(amount) as amount, max(id) as last_id, count(*) as entries
      from ${entriesAfter(checkpoint)} e
      group by account_id
    ) e on e.account_id = a.id
    order by a.id`.execute(tx);
  return rows;
}

interface Disagreement {
  slug: string;
  decimals: number;
  account: AccountKind;
  expected: bigint;
  found: bigint;
}

/** The first hundred entries whose `balance_after` is not the previous one plus their amount. */
export async function listBroken(tx: Tx, checkpoint: Checkpoint) {
  const { rows } = await sql<Disagreement>`
    select a.slug, a.decimals, a.kind as account, e.expected, e.found
    from (
      select id, account_id, balance_after as found,
        amount + lag(balance_after, 1, verified) over (partition by account_id order by id) as expected
      from ${entriesAfter(checkpoint)} e
    ) e
    join ${accountsAt(checkpoint)} a on a.id = e.account_id
    where e.found <> e.expected
    order by e.id limit 100`.execute(tx);
  return rows;
}

/** The first hundred transactions whose entries do not sum to zero in a currency. */
export async function listUnbalanced(tx: Tx, checkpoint: Checkpoint) {
  const { rows } = await sql<{ slug: string; decimals: number; sum: bigint }>`
    select c.slug, c.decimals, e.sum
    from (
      select currency_id, sum(amount) as sum from ${entriesAfter(checkpoint)} e
      group by transaction_id, currency_id having sum(amount) <> 0 limit 100
    ) e
    join currencies c on c.id = e.currency_id`.execute(tx);
  return rows;
}

/** The first hundred balances of the checkpoint, or of all, that their entry no longer has. */
export async function listAltered(tx: Tx, checkpoint: Checkpoint) {
  const { rows } = await sql<Disagreement>`
    select c.slug, c.decimals, a.kind as account, b.balance as expected,
      coalesce(e.balance_after, 0) as found
    from ledger_checkpoint_balances b
    join ledger_accounts a on a.id = b.account_id
    join currencies c on c.id = a.currency_id
    left join ledger_entries e on e.id = b.last_entry_id and e.account_id = b.account_id
    where e.balance_after is distinct from b.balance
      and ${checkpoint === null ? sql`true` : sql`b.checkpoint_id = ${checkpoint}`}
    order by b.checkpoint_id, b.account_id limit 100`.execute(tx);
  return rows;
}

/** The exchanges with postings since the checkpoint. */
export async function listPostedExchanges(tx: Tx, checkpoint: number): Promise<string[]> {
  const { rows } = await sql<{ exchange_id: string }>`
    select distinct t.exchange_id
    from ${entriesAfter(checkpoint)} e cross join lateral (
      select exchange_id from ledger_transactions where id = e.transaction_id offset 0) t
    where t.exchange_id is not null`.execute(tx);
  return rows.map(({ exchange_id }) => exchange_id);
}

export function insertCheckpoint(
  db: Db,
  scope: Scope,
  at: Date,
  accounts: readonly Pick<AccountState, 'id' | 'last_entry_id' | 'balance'>[],
): Promise<void> {
  return transaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('ledger_checkpoints')
      .values({ scope, verified_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const balances = accounts
      .filter((account) => account.last_entry_id > 0)
      .map(({ id: account_id, last_entry_id, balance }) => ({
        checkpoint_id: id,
        account_id,
        last_entry_id,
        balance,
      }));
    if (balances.length > 0)
      await tx.insertInto('ledger_checkpoint_balances').values(balances).execute();
  });
}

/** Keeps the last one, from which the next goes on, and the last of the whole ledger. */
export async function deleteOldCheckpoints(db: Db, keepDays: number): Promise<void> {
  await sql`
    delete from ledger_checkpoints
    where verified_at < now() - make_interval(days => ${keepDays})
      and id < (select max(id) from ledger_checkpoints)
      and id is distinct from (select max(id) from ledger_checkpoints where scope = 'whole')`.execute(
    db,
  );
}
