/**
 * The desk's search: one box for the beginning of a number, the beginnings of
 * the words of a name or address, or an exact amount. Each way asks for what has
 * an index, so the database reads neither every exchange nor every customer.
 */
import { maxDecimals, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/db/database.ts';

const MAX_CUSTOMERS = 200;

export interface Search {
  /** On `exchanges e` joined with its currencies `s` and `r`. */
  readonly condition: RawBuilder<boolean>;
  /** More customers fit the words than are searched for: older ones were left out. */
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

/** One more than the search uses, where there are more. */
async function findCustomers(db: Db, words: string): Promise<Id[]> {
  const rows = await selectCustomers(db, words)?.execute();
  return rows?.map(({ id }) => id) ?? [];
}

/** What stands between words, as in the function `customer_words`. */
const BETWEEN_WORDS = /[\t-\r !-/:-@[-`{-~\u00a0\u02bc\u2010-\u2015\u2018\u2019\u3000]+/u;

/**
 * Whether a row of `users` is asked for, by name or address; null where there is nothing to ask
 * for. Each word is the beginning of one of theirs. With an @ it is an address from its beginning.
 */
export function customerCondition(text: string): RawBuilder<boolean> | null {
  if (/^[^@\s]+@[^@\s]*$/.test(text)) {
    const address = text.toLowerCase().replace(/[\\%_]/g, '\\$&');
    return sql<boolean>`email like ${`${address}%`}`;
  }
  // Composed first, for a few signs have composed forms that stand between words.
  const words = text
    .normalize('NFC')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  // No word holds a quote or a backslash: both stand between words.
  const asked = words.map((word) => `'${word}':*`).join(' & ');
  return sql<boolean>`customer_words(name, email) @@ lower(${asked})::tsquery`;
}

/** The query for people; null where there is nothing to ask for. The newest first, so that the same words find the same. */
export function selectCustomers(db: Db, text: string) {
  const condition = customerCondition(text);
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

/** What the words are in minor units, for each number of decimals that can hold them. */
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

/** The list of minor units is for the index; the product then tells 5.00 from 0.05 at other decimals. */
function amountIs(
  column: string,
  currency: string,
  words: string,
  minors: readonly bigint[],
): RawBuilder<boolean> {
  return sql`(${sql.ref(column)} = any(${minors.map(String)}::numeric[])
    and ${sql.ref(column)} = ${words}::numeric * (10::numeric ^ ${sql.ref(`${currency}.decimals`)}))`;
}
