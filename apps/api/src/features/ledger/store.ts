/** SQL of the ledger. Balances change only by entries. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { CurrenciesTable, LedgerTransactionsTable } from '#platform/db/tables.generated.ts';
import type { AccountKind, Entry } from './postings.ts';

export interface Head {
  readonly kind: LedgerTransactionsTable['kind'];
  readonly exchange_id: string | null;
  /** Such as `event:123`; null only without an exchange. */
  readonly cause: string | null;
  /** For lists, since the ledger does not read exchanges. */
  readonly exchange_number?: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
  /** Null for the system. */
  readonly actor_id: string | null;
  /** The database's time by default. */
  readonly at?: Date;
}

export interface NewTransaction extends Head {
  readonly id: string;
  readonly entries: readonly Entry[];
}

/**
 * Writes transactions and entries in one statement, which fails where an entry has no account. Entries are
 * ordered by account, because each locks its account: this prevents deadlocks. Within an account the
 * given order is preserved.
 */
export async function insertTransactions(
  tx: Tx,
  transactions: readonly NewTransaction[],
): Promise<void> {
  const entries = transactions.flatMap(({ id, entries: own }) =>
    own.map((entry) => ({ id, ...entry })),
  );
  await sql`
    with heads as (
      insert into ledger_transactions
        (id, kind, exchange_id, exchange_number, cause, reference, reason, actor_id, created_at)
      select head.id, head.kind, head.exchange_id, head.exchange_number, head.cause,
        head.reference, head.reason, head.actor_id, coalesce(head.at, now())
      from unnest(
        ${transactions.map(({ id }) => id)}::uuid[],
        ${transactions.map(({ kind }) => kind)}::text[],
        ${transactions.map(({ exchange_id }) => exchange_id)}::uuid[],
        ${transactions.map((head) => head.exchange_number ?? null)}::text[],
        ${transactions.map(({ cause }) => cause)}::text[],
        ${transactions.map(({ reference }) => reference)}::text[],
        ${transactions.map(({ reason }) => reason)}::text[],
        ${transactions.map(({ actor_id }) => actor_id)}::uuid[],
        ${transactions.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[])
        as head (id, kind, exchange_id, exchange_number, cause, reference, reason, actor_id, at)
    )
    insert into ledger_entries (transaction_id, account_id, currency_id, amount)
    select line.transaction_id, account.id, line.currency_id, line.amount
    from unnest(
        ${entries.map(({ id }) => id)}::uuid[],
        ${entries.map(({ currency_id }) => currency_id)}::uuid[],
        ${entries.map(({ account }) => account)}::text[],
        ${entries.map(({ amount }) => String(amount))}::numeric[])
      with ordinality as line (transaction_id, currency_id, kind, amount, place)
    left join ledger_accounts account
      on account.currency_id = line.currency_id and account.kind = line.kind
    order by account.id, line.place`.execute(tx);
}

export interface ReserveRow extends Pick<
  CurrenciesTable,
  'slug' | 'unit' | 'name' | 'symbol' | 'channel' | 'kind' | 'decimals'
> {
  currency_id: string;
  account: AccountKind;
  balance: bigint;
}

export function listBalances(db: Db | Tx, currencySlug?: string): Promise<ReserveRow[]> {
  return db
    .selectFrom('ledger_accounts as a')
    .innerJoin('currencies as c', 'c.id', 'a.currency_id')
    .select(['a.currency_id', 'a.kind as account', 'a.balance'])
    .select(['c.slug', 'c.unit', 'c.name', 'c.symbol', 'c.channel', 'c.kind', 'c.decimals'])
    .$if(currencySlug !== undefined, (query) => query.where('c.slug', '=', currencySlug ?? ''))
    .orderBy('c.position')
    .orderBy('c.slug')
    .orderBy('a.id')
    .execute();
}

/** The reserve of each currency, for lists. */
export function listAvailable(db: Db | Tx): Promise<
  (Pick<CurrenciesTable, 'slug' | 'unit' | 'channel' | 'decimals'> & {
    id: Id;
    balance: bigint;
  })[]
> {
  return db
    .selectFrom('ledger_accounts as a')
    .innerJoin('currencies as c', 'c.id', 'a.currency_id')
    .select(['c.id', 'c.slug', 'c.unit', 'c.channel', 'c.decimals', 'a.balance'])
    .where('a.kind', '=', 'available')
    .orderBy('c.slug')
    .execute();
}

export async function findBalance(
  db: Db | Tx,
  currencyId: string,
  account: AccountKind,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('currency_id', '=', currencyId)
    .where('kind', '=', account)
    .executeTakeFirst();
  return row?.balance;
}

async function findAccountId(db: Db, currencyId: string, kind: AccountKind): Promise<number> {
  const { id } = await db
    .selectFrom('ledger_accounts')
    .select('id')
    .where('currency_id', '=', currencyId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return id;
}

export interface EntriesAsked {
  currencyId: string;
  account: AccountKind | undefined;
  /** Entries older than this one. */
  beforeId: string | undefined;
  limit: number;
}

/** Newest first. */
export async function listEntries(db: Db, asked: EntriesAsked) {
  const account = asked.account && (await findAccountId(db, asked.currencyId, asked.account));
  // Either, so that the entries are read in the order of one index. Literal, or a plan for any account would
  // read the entries of all for an account that has few.
  const isAsked =
    account === undefined
      ? sql<boolean>`e.currency_id = ${sql.lit(asked.currencyId)}`
      : sql<boolean>`e.account_id = ${sql.lit(account)}`;
  return db
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_transactions as t', 't.id', 'e.transaction_id')
    .innerJoin('ledger_accounts as a', 'a.id', 'e.account_id')
    .leftJoin('users as u', 'u.id', 't.actor_id')
    .select(['e.id', 'e.transaction_id', 'e.amount', 'e.balance_after', 'a.kind as account'])
    .select(['t.created_at', 't.kind', 't.exchange_number', 't.reference', 't.reason'])
    .select('u.name as actor')
    .where(isAsked)
    .$if(asked.beforeId !== undefined, (query) =>
      query.where('e.id', '<', sql<number>`${asked.beforeId}::bigint`),
    )
    .orderBy('e.id', 'desc')
    .limit(asked.limit)
    .execute();
}

/** Marks currencies as low and returns those that were not. */
export async function insertLow(tx: Tx, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ currency_id: Id }>`
    insert into low_reserves (currency_id)
    select id from unnest(${[...ids]}::uuid[]) as low (id) order by id
    on conflict do nothing returning currency_id`.execute(tx);
  return rows.map(({ currency_id }) => currency_id);
}

export async function deleteLow(tx: Tx, ids: readonly Id[]): Promise<void> {
  await sql`delete from low_reserves where currency_id = any(${[...ids]}::uuid[])`.execute(tx);
}
