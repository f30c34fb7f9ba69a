/** SQL on `pairs`, and on `pair_rates` as far as lists of pairs need it. */
import type { PublicCurrency } from '@cambist/contract/currencies';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { FieldJson } from '#platform/db/json-columns.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';

/** The columns of a currency that its pairs need. Limits in minor units. */
export interface Side extends PublicCurrency {
  readonly id: string;
  readonly export_code: string;
  readonly active: boolean;
  readonly position: number;
  readonly min_send: bigint | null;
  readonly max_send: bigint | null;
  readonly min_receive: bigint | null;
  readonly max_receive: bigint | null;
  readonly sender_fields: FieldJson[];
  readonly payout_fields: FieldJson[];
  readonly payout_time: string;
  /** There is an active account to pay to. */
  readonly payable: boolean;
}

export type PairRow = Selectable<PairsTable> & { readonly send: Side; readonly receive: Side };

const LIMITS = ['min_send', 'max_send', 'min_receive', 'max_receive'] as const;
type SideJson = Omit<Side, (typeof LIMITS)[number]> &
  Record<(typeof LIMITS)[number], string | null>;
type Joined = Selectable<PairsTable> & { send: SideJson; receive: SideJson };

/** Amounts are text, since JSON numbers would lose digits. */
const side = (alias: 's' | 'r') => {
  const own = sql.ref(alias);
  return sql<SideJson>`to_jsonb(${own}) || jsonb_build_object(
    'min_send', ${own}.min_send::text, 'max_send', ${own}.max_send::text,
    'min_receive', ${own}.min_receive::text, 'max_receive', ${own}.max_receive::text,
    'payable', exists (
      select from payee_accounts where currency_id = ${own}.id and active))`;
};

const selectPairs = (db: Db | Tx) =>
  db
    .selectFrom('pairs as p')
    .innerJoin('currencies as s', 's.id', 'p.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'p.receive_currency_id')
    .selectAll('p')
    .select([side('s').as('send'), side('r').as('receive')]);

const selectPriced = (db: Db) =>
  selectPairs(db)
    .where('p.active', '=', true)
    .where('s.active', '=', true)
    .where('r.active', '=', true)
    .where('p.mid_rate', 'is not', null)
    .orderBy('p.position')
    .orderBy('p.slug');

function readSide(json: SideJson): Side {
  const amount = (field: (typeof LIMITS)[number]) => {
    const text = json[field];
    return text === null ? null : BigInt(text);
  };
  return {
    ...json,
    min_send: amount('min_send'),
    max_send: amount('max_send'),
    min_receive: amount('min_receive'),
    max_receive: amount('max_receive'),
  };
}

function withAmounts<R extends Joined>(row: R): Omit<R, 'send' | 'receive'> & PairRow {
  return { ...row, send: readSide(row.send), receive: readSide(row.receive) };
}

export async function findSide(db: Db | Tx, slug: string): Promise<Side | undefined> {
  const row = await db
    .selectFrom('currencies as s')
    .select(side('s').as('side'))
    .where('s.slug', '=', slug)
    .executeTakeFirst();
  return row && readSide(row.side);
}

export async function listPairs(db: Db): Promise<PairRow[]> {
  return (await selectPairs(db).orderBy('p.position').orderBy('p.slug').execute()).map(withAmounts);
}

export async function listPairsById(db: Db | Tx, ids: readonly string[]): Promise<PairRow[]> {
  if (ids.length === 0) return [];
  return (await selectPairs(db).where('p.id', 'in', ids).execute()).map(withAmounts);
}

/** Switched on, both currencies too, and with a rate. */
export async function listPriced(db: Db): Promise<PairRow[]> {
  return (await selectPriced(db).execute()).map(withAmounts);
}

export type PairWithHistory = PairRow & {
  /** The mid rate in force 24 hours ago. */
  readonly day_ago: string | null;
  /** The mid rates in force at 28 moments of the last seven days, the last one now. */
  readonly sparkline: string[] | null;
};

/** As `listPriced`, with the rates of the last seven days. */
export async function listWithHistory(db: Db): Promise<PairWithHistory[]> {
  const inForceAt = (moment: ReturnType<typeof sql>) => sql`
    select mid_rate from pair_rates where pair_id = p.id and in_force_from <= ${moment}
    order by in_force_from desc, id desc limit 1`;
  const rows = await selectPriced(db)
    .select(sql<string | null>`(${inForceAt(sql`now() - interval '24 hours'`)})`.as('day_ago'))
    .select(
      sql<string[] | null>`(
        select jsonb_agg(point.mid_rate::text order by moment)
        from generate_series(now() - interval '7 days', now(), interval '7 days' / 27) as moment
        cross join lateral (${inForceAt(sql`moment`)}) as point)`.as('sparkline'),
    )
    .execute();
  return rows.map(withAmounts);
}

/** A pair with its currencies' export codes and the reserve for payouts, in minor units. */
export type ListedPair = PairRow & {
  readonly send_code: string;
  readonly receive_code: string;
  readonly reserve: bigint;
  /** When this was read, by the database's clock. */
  readonly read_at: Date;
};

export async function listForMonitors(db: Db): Promise<ListedPair[]> {
  const rows = await selectPairs(db)
    .innerJoin('ledger_accounts as reserve', (join) =>
      join
        .onRef('reserve.currency_id', '=', 'p.receive_currency_id')
        .on('reserve.kind', '=', 'available'),
    )
    .select(['s.export_code as send_code', 'r.export_code as receive_code'])
    .select(['reserve.balance as reserve', sql<Date>`now()`.as('read_at')])
    .orderBy('p.position')
    .orderBy('p.slug')
    .execute();
  return rows.map(withAmounts);
}

export async function findPair(
  db: Db | Tx,
  by: { slug: string } | { id: string },
): Promise<PairRow | undefined> {
  const row = await selectPairs(db)
    .where('slug' in by ? 'p.slug' : 'p.id', '=', 'slug' in by ? by.slug : by.id)
    .executeTakeFirst();
  return row && withAmounts(row);
}

export async function lockPair(tx: Tx, slug: string): Promise<PairRow | undefined> {
  const query = selectPairs(tx).where('p.slug', '=', slug);
  const row = await query.forNoKeyUpdate('p').executeTakeFirst();
  return row && withAmounts(row);
}

/** The pair cannot change until the transaction ends; other transactions may share it. */
export async function sharePair(tx: Tx, id: string): Promise<PairRow | undefined> {
  const row = await selectPairs(tx).where('p.id', '=', id).forShare('p').executeTakeFirst();
  return row && withAmounts(row);
}

export async function insertPair(tx: Tx, row: Insertable<PairsTable>): Promise<void> {
  await tx.insertInto('pairs').values(row).execute();
}

/** Raises the version; market rates use `updateMidRates`, which does not. */
export async function updatePair(
  tx: Tx,
  id: string,
  changes: Updateable<PairsTable>,
): Promise<void> {
  await tx
    .updateTable('pairs')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}
