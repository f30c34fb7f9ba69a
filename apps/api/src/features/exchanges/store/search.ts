/**
 * The desk's search: by the beginning of a number, words of a name or address, or an exact amount,
 * each through an index.
 */
import { maxDecimals, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { userCondition } from '#platform/db/user-search.ts';
import type { Db } from '#platform/db/database.ts';

const MAX_CUSTOMERS = 200;

export interface Search {
  /** On `exchanges e` joined with its currencies `s` and `r`. */
  readonly condition: RawBuilder<boolean>;
  /** More than `MAX_CUSTOMERS` match; the older ones are omitted. */
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
  const amounts = minorAmounts(words);
  if (amounts.length > 0)
    ways.push(
      amountIs('e.send_minor', 's', words, amounts),
      amountIs('e.payout_minor', 'r', words, amounts),
    );
  const condition =
    ways.length > 0 ? sql<boolean>`(${sql.join(ways, sql` or `)})` : sql<boolean>`false`;
  return { condition, cut: found.length > customers.length };
}

async function findCustomers(db: Db, words: string): Promise<Id[]> {
  const rows = await selectCustomers(db, words)?.execute();
  return rows?.map(({ id }) => id) ?? [];
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
