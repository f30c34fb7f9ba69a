/**
 * The desk's search: by the beginning of a number, of words of a name or address, of a reference or of
 * an account, or by an exact amount; each through an index.
 */
import { parseAmount } from '@cambist/money/amount';
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
  /** On `exchanges e`. */
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
  ways.push(sql`lower(e.payment_reference) like ${beginning(words)}`);
  const account = accountBeginning(words);
  if (account !== null)
    ways.push(
      sql`regexp_replace(e.payout_account_key, '^(account:[^:]*|[a-z]+):', '') like ${account}`,
    );
  for (const { minor, ids } of await minorAmounts(db, words)) {
    ways.push(
      sql`(e.send_minor = ${minor} and e.send_currency_id = any(${ids}::uuid[]))`,
      sql`(e.payout_minor = ${minor} and e.receive_currency_id = any(${ids}::uuid[]))`,
    );
  }
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

/** The beginning of a payout account, written as in `payoutAccountKey`; an address of email has dots. */
function accountBeginning(words: string): string | null {
  const number = (words.includes('@') ? words : words.replaceAll(/[\s./-]/g, '')).toUpperCase();
  return number.length < MIN_BEGINNING ? null : `${number.replace(/[\\%_]/g, '\\$&')}%`;
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

/** The text as minor units, with the currencies of each number of decimals that can represent it. */
async function minorAmounts(db: Db, words: string): Promise<{ minor: bigint; ids: Id[] }[]> {
  if (!/^[\d.]+$/.test(words)) return [];
  const currencies = await db.selectFrom('currencies').select(['id', 'decimals']).execute();
  const found = new Map<bigint, Id[]>();
  for (const { id, decimals } of currencies) {
    try {
      const minor = parseAmount(words, decimals);
      if (minor > 0n) found.set(minor, [...(found.get(minor) ?? []), id]);
    } catch (error) {
      if (!(error instanceof MoneyError)) throw error;
    }
  }
  return [...found].map(([minor, ids]) => ({ minor, ids }));
}
