/**
 * The desk's search: by the beginning of a number, of words of a name or address, of a reference or of
 * an account, or by an exact amount; each through an index.
 */
import { maxDecimals, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { userCondition } from '#platform/db/user-search.ts';
import type { Db } from '#platform/db/database.ts';

const MAX_CUSTOMERS = 200;
const MAX_RECORDS = 200;
/** What is shorter must be the whole reference: a beginning of it would match half of the desk. */
const MIN_BEGINNING = 4;

export interface Search {
  /** On `exchanges e` joined with its currencies `s` and `r`. */
  readonly condition: RawBuilder<boolean>;
  /** More customers or records match than are looked at. */
  readonly cut: boolean;
}

export async function readSearch(db: Db, text: string): Promise<Search> {
  const words = text.trim();
  const ways: RawBuilder<boolean>[] = [];
  const prefix = numberPrefix(words);
  if (prefix !== null) ways.push(sql`e.number like ${`${prefix}%`}`);
  const found = await findCustomers(db, words);
  const customers = found.slice(0, MAX_CUSTOMERS);
  if (customers.length > 0) ways.push(sql`e.user_id = any(${customers}::uuid[])`);
  const records = await findByRecord(db, words);
  const named = records.slice(0, MAX_RECORDS);
  if (named.length > 0) ways.push(sql`e.id = any(${named}::uuid[])`);
  ways.push(sql`lower(e.payment_reference) like ${beginning(words)}`, ...accountWays(words));
  const amounts = minorAmounts(words);
  if (amounts.length > 0)
    ways.push(
      amountIs('e.send_minor', 's', words, amounts),
      amountIs('e.payout_minor', 'r', words, amounts),
    );
  return {
    condition: sql<boolean>`(${sql.join(ways, sql` or `)})`,
    cut: found.length > customers.length || records.length > named.length,
  };
}

async function findCustomers(db: Db, words: string): Promise<Id[]> {
  const rows = await selectCustomers(db, words)?.execute();
  return rows?.map(({ id }) => id) ?? [];
}

/** A pattern for `like` on what is in lower case. */
function beginning(words: string): string {
  const text = words.toLowerCase().replace(/[\\%_]/g, '\\$&');
  return words.length < MIN_BEGINNING ? text : `${text}%`;
}

/** By a reference of a receipt, payout or refund, or the account of a refund; one more than the maximum. */
async function findByRecord(db: Db, words: string): Promise<Id[]> {
  const referenced = (table: string) => sql`(select exchange_id from ${sql.table(table)}
    where lower(reference) like ${beginning(words)} limit ${MAX_RECORDS + 1})`;
  const account = words.toLowerCase().replace(/[^a-z0-9]/g, '');
  const { rows } = await sql<{ exchange_id: Id }>`
    ${referenced('exchange_receipts')} union ${referenced('exchange_payouts')}
    union ${referenced('exchange_refunds')}
    ${
      account.length < MIN_BEGINNING
        ? sql``
        : sql`union (select exchange_id from exchange_refunds where account is not null
            and account_words(account) @@ ${`'${account}':*`}::tsquery limit ${MAX_RECORDS + 1})`
    }
    limit ${MAX_RECORDS + 1}`.execute(db);
  return rows.map(({ exchange_id }) => exchange_id);
}

/** By the beginning of a payout account, written as in `payoutAccountKey`; addresses of people have dots. */
function accountWays(words: string): RawBuilder<boolean>[] {
  const numbers = new Set(
    [words.replaceAll(/[\s./-]/g, ''), words].map((each) => each.toUpperCase()),
  );
  return [...numbers]
    .filter((number) => number.length >= MIN_BEGINNING)
    .map(
      (number) => sql<boolean>`regexp_replace(e.payout_account_key, '^(account:[^:]*|[a-z]+):', '')
        like ${`${number.replace(/[\\%_]/g, '\\$&')}%`}`,
    );
}

/** The newest first, one more than the maximum; null without a searchable word. */
export function selectCustomers(db: Db, text: string) {
  const condition = userCondition(text);
  if (condition === null) return null;
  return db
    .selectFrom('users')
    .select('id')
    .where(condition)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAX_CUSTOMERS + 1);
}

/** `7f3k9` and `cx-7f3k-9` both begin `CX-7F3K-9`. */
export function numberPrefix(words: string): string | null {
  const letters = words
    .toUpperCase()
    .replace(/^CX(?=-|[0-9A-Z]{4})/, '')
    .replaceAll('-', '');
  if (!/^[0-9A-HJKMNP-TV-Z]{1,8}$/.test(letters)) return null;
  const rest = letters.length > 4 ? `-${letters.slice(4)}` : '';
  return `CX-${letters.slice(0, 4)}${rest}`;
}

/** The text as minor units, for each number of decimals that can represent it. */
function minorAmounts(words: string): bigint[] {
  const found = new Set<bigint>();
  for (let decimals = 0; decimals <= maxDecimals; decimals += 1) {
    try {
      found.add(parseAmount(words, decimals));
    } catch (error) {
      if (!(error instanceof MoneyError)) throw error;
    }
  }
  return [...found].filter((minor) => minor > 0n);
}

/** The list of minor units is for the index; the product then distinguishes the decimals. */
function amountIs(
  column: string,
  currency: string,
  words: string,
  minors: readonly bigint[],
): RawBuilder<boolean> {
  return sql`(${sql.ref(column)} = any(${minors.map(String)}::numeric[])
    and ${sql.ref(column)} = ${words}::numeric * (10::numeric ^ ${sql.ref(`${currency}.decimals`)}))`;
}
