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
/** Among more, finding the newest would take the longer the more there are. */
const MAX_MATCHES = 1000;
const MAX_RECORDS = 200;
/** What is shorter must be the whole reference: a beginning of it would match half of the desk. */
const MIN_BEGINNING = 4;

export interface Search {
  /** On `exchanges e`; those of the customers are found, too. */
  readonly condition: RawBuilder<boolean>;
  readonly customers: readonly Id[];
  /** More customers, records or exchanges match than are looked at. */
  readonly cut: boolean;
}

/**
 * `isBounded`: at most so many of each kind are looked at, of customers, an amount or account the newest, so that a
 * search of all exchanges costs the same however many there are. A work queue is short, and a CSV must be
 * whole: there each exchange is compared.
 */
export async function readSearch(db: Db, text: string, isBounded: boolean): Promise<Search> {
  const words = text.trim();
  const own = await waysTo(db, words);
  const bounded = own.map(
    ({ condition, order }) => sql`(select e.id from exchanges e where ${condition}
      order by ${order} limit ${MAX_RECORDS + 1})`,
  );
  const parts = [...recordsWith(words), ...(isBounded ? bounded : [])];
  const { rows } = await sql<{ part: number; id: Id }>`${sql.join(
    parts.map((part, at) => sql`select ${at}::int as part, id from ${part} as found (id)`),
    sql` union all `,
  )}`.execute(db);
  const found = (isBounded && (await selectCustomers(db, words)?.execute())) || [];
  const customers = found.slice(0, MAX_CUSTOMERS).map(({ id }) => id);
  const isCustomer = userCondition(words) ?? sql`false`;
  const compared = [
    ...own.map(({ condition }) => sql`(${condition})`),
    sql`e.user_id = any(array(select id from users where ${isCustomer}))`,
  ];
  const ways = [
    sql`e.id = any(${rows.map(({ id }) => id)}::uuid[])`,
    ...(isBounded ? [] : compared),
  ];
  return {
    condition: sql<boolean>`(${sql.join(ways, sql` or `)})`,
    customers,
    cut:
      found.length > customers.length ||
      parts.some((_, at) => rows.filter(({ part }) => part === at).length > MAX_RECORDS),
  };
}

/** On `exchanges e`, with the order of the index: of many no more are read than are looked at. */
interface Way {
  readonly condition: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
}

const newest = sql`e.created_at desc, e.id desc`;

async function waysTo(db: Db, words: string): Promise<Way[]> {
  const ways = [referenceBegins(sql`reference_key(e.payment_reference)`, words)];
  const prefix = numberPrefix(words);
  if (prefix !== null) ways.push(begins(sql`e.number`, prefix));
  const account = accountBeginning(words);
  if (account !== null) {
    const own = sql`regexp_replace(e.payout_account_key, '^(account:[^:]*|[a-z]+):', '')`;
    const { condition, order } = begins(own, account);
    ways.push({ condition, order: sql`${order}, ${newest}` });
  }
  for (const { minor, ids } of await minorAmounts(db, words)) {
    ways.push(
      {
        condition: sql`e.send_minor = ${minor} and e.send_currency_id = any(${ids}::uuid[])`,
        order: newest,
      },
      {
        condition: sql`e.payout_minor = ${minor} and e.receive_currency_id = any(${ids}::uuid[])`,
        order: newest,
      },
    );
  }
  return ways;
}

/** By the index of a column: a plan for any text would use none for `like`. What is the text itself comes first. */
function begins(column: RawBuilder<unknown>, text: unknown, rest = '\u{10ffff}'): Way {
  const condition = sql`${column} ~>=~ ${text} and ${column} ~<=~ (${text} || ${rest}::text)`;
  return { condition, order: sql`${column} using ~<~` };
}

const referenceBegins = (column: RawBuilder<unknown>, words: string) =>
  begins(column, sql`reference_key(${words})`, words.length < MIN_BEGINNING ? '' : undefined);

/** By a reference of a receipt, payout or refund, or the account of a refund; each one more than the maximum. */
function recordsWith(words: string): RawBuilder<unknown>[] {
  const { condition, order } = referenceBegins(sql`reference_key(reference)`, words);
  const referenced = (table: string) => sql`(select exchange_id from ${sql.table(table)}
    where ${condition} order by ${order} limit ${MAX_RECORDS + 1})`;
  const account = words.toLowerCase().replace(/[^a-z0-9]/g, '');
  return [
    referenced('exchange_receipts'),
    referenced('exchange_payouts'),
    referenced('exchange_refunds'),
    ...(account.length < MIN_BEGINNING
      ? []
      : [
          sql`(select exchange_id from exchange_refunds where account is not null
            and account_words(account) @@ ${`'${account}':*`}::tsquery limit ${MAX_RECORDS + 1})`,
        ]),
  ];
}

/** The beginning of a payout account, written as in `payoutAccountKey`; an address of email has dots. */
function accountBeginning(words: string): string | null {
  const number = (words.includes('@') ? words : words.replaceAll(/[\s./-]/g, '')).toUpperCase();
  return number.length < MIN_BEGINNING ? null : number;
}

/** The newest of `MAX_MATCHES` first, one more than the maximum; null without a searchable word. */
export function selectCustomers(db: Db, text: string) {
  const condition = userCondition(text);
  if (condition === null) return null;
  // Planned as if all were read, or the planner may try all users in the order of the list instead.
  const found = sql<{ id: Id; created_at: Date }>`(with matching as materialized (
    select id, created_at from users where ${condition}) select * from matching limit ${MAX_MATCHES})`;
  return db
    .selectFrom(found.as('found'))
    .select('id')
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
