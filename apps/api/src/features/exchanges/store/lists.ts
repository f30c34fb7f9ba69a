/** SQL of lists: a customer's exchanges, the desk's, the latest exchanges. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { TimePlace } from '#kernel/time-cursor.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { accountShared, limitsNear, referenceUsed, type WarningSettings } from './warnings.ts';
import { currencyOf, exchangeRows, type Exchange } from './exchanges.ts';
import { queueTable, type QueueName } from './queues.ts';
import type { Search } from './search.ts';

export interface OwnFilter {
  readonly userId: Id;
  readonly states?: readonly ExchangeState[];
  /** Created at or after. */
  readonly from?: Date;
  /** Created before. */
  readonly before?: Date;
}

// Literal states, so that the few open ones have their own index.
const ownCondition = ({
  userId,
  states,
  from,
  before,
}: OwnFilter) => sql<boolean>`e.user_id = ${userId}
  and ${states ? sql`e.state in (${sql.join(states.map((state) => sql.lit(state)))})` : sql`true`}
  and ${from ? sql`e.created_at >= ${from}` : sql`true`}
  and ${before ? sql`e.created_at < ${before}` : sql`true`}`;

export interface OwnWindow {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: TimePlace | null;
}

/** Newest first. The page is found first, in the index: what is skipped is not read. */
export async function listOwn(
  db: Db | Tx,
  filter: OwnFilter,
  { limit, offset = 0, after = null }: OwnWindow,
): Promise<Exchange[]> {
  const isAfter = after ? sql`(e.created_at, e.id) < (${after.at}, ${after.id})` : sql`true`;
  return exchangeRows(db)
    .where(
      sql<boolean>`e.id in (select e.id from exchanges e where ${ownCondition(filter)} and ${isAfter}
        order by e.created_at desc, e.id desc limit ${limit} offset ${offset})`,
    )
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .execute();
}

/** Counted to `cap`. */
export async function countOwn(db: Db, filter: OwnFilter, cap: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total
    from (select from exchanges e where ${ownCondition(filter)} limit ${cap}) capped`.execute(db);
  return rows[0]?.total ?? 0;
}

export type LatestRow = Pick<
  Exchange,
  'send' | 'receive' | 'send_minor' | 'payout_minor' | 'state_changed_at'
> & {
  state: ExchangeState;
  customer: string;
};

export async function listLatest(db: Db, limit: number): Promise<LatestRow[]> {
  return db
    .selectFrom('exchanges as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .innerJoin('currencies as s', 's.id', 'e.send_currency_id')
    .innerJoin('currencies as r', 'r.id', 'e.receive_currency_id')
    .select([
      'e.send_minor',
      'e.payout_minor',
      'e.state_changed_at',
      'e.state',
      'u.name as customer',
    ])
    .select([currencyOf('s').as('send'), currencyOf('r').as('receive')])
    .where(sql<boolean>`e.state in ('approved', 'completed')`)
    .orderBy('e.state_changed_at', 'desc')
    .limit(limit)
    .execute();
}

/** Beyond this an operator only sees that it is a known customer. */
const MAX_COMPLETED = 1000;

export type DeskRow = Exchange & {
  customer_name: string;
  customer_since: Date;
  claimant: string | null;
  proof_count: number;
  same_file: boolean;
  completed_count: number;
  reference_used: boolean;
  account_shared: boolean;
  limits_near: boolean;
};

export interface DeskSource {
  readonly queue: QueueName;
  readonly operatorId: Id;
  readonly now: Date;
  readonly desk: WarningSettings;
  /** Only what this operator claimed, approved or paid out. */
  readonly by: Id | undefined;
  /** On `exchanges e`. */
  readonly conditions: readonly RawBuilder<boolean>[];
  readonly found?: Search | null;
}

export interface DeskAsk extends DeskSource {
  readonly after: { at: Date; id: Id } | null;
  readonly limit: number;
}

/** A row of a list, and where the list goes on after it. */
export type ListedRow = DeskRow & { readonly place: { readonly at: Date; readonly id: Id } };

/**
 * The page is found first, so that what is counted for a row is counted for its rows alone; and by a statement of its
 * own, since to plan the rows' takes longer than to read them: whatever is asked for, that is one statement, whose plan
 * the database keeps.
 */
export async function listDesk(db: Db, ask: DeskAsk): Promise<ListedRow[]> {
  const direction = sql.raw(queueTable[ask.queue].newestFirst ? 'desc' : 'asc');
  const { rows: places } = await sql<{
    id: Id;
    at: Date;
  }>`select id, at from (${inQueue(ask, ask.after, ask.limit)}) page
    order by at ${direction}, id ${direction} limit ${ask.limit}`.execute(db);
  const ids = sql`${places.map(({ id }) => id)}::uuid[]`;
  // A row only says whether there was one.
  const rows = await deskRows(db, ask.desk, 1)
    .where(sql<boolean>`e.id = any(${ids})`)
    .orderBy(sql`array_position(${ids}, e.id)`)
    .execute();
  return rows.map((row, at) => ({
    ...row,
    place: places[at] ?? { at: row.created_at, id: row.id },
  }));
}

/** How many `listDesk` has, counted to `cap`. */
export async function countDesk(db: Db, ask: DeskSource, cap: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total
    from (select from (${inQueue(ask, null, cap)}) found limit ${cap}) capped`.execute(db);
  return rows[0]?.total ?? 0;
}

/** `id` and `at`, by which they are in order: at least the first `limit` of them. */
function inQueue(ask: DeskSource, after: DeskAsk['after'], limit: number): RawBuilder<unknown> {
  const { order, newestFirst, condition } = queueTable[ask.queue];
  const direction = sql.raw(newestFirst ? 'desc' : 'asc');
  // An operator's exchanges are in this order in their own index; what else is asked for, in another.
  const [at, id] =
    ask.by !== undefined && order === 'created_at' && ask.conditions.length === 0 && !ask.found
      ? [sql`o.created_at`, sql`o.exchange_id`]
      : [sql.ref(`e.${order}`), sql`e.id`];
  const conditions = [
    condition(ask),
    ...(after
      ? [sql`(${at}, ${id}) ${sql.raw(newestFirst ? '<' : '>')} (${after.at}, ${after.id})`]
      : []),
    ...ask.conditions,
  ];
  // Of this table alone, so that most filters are counted in their index.
  const those = (found: RawBuilder<unknown>) => sql`(select e.id, ${at} as at from exchanges e
    ${ask.by === undefined ? sql`` : sql`join exchange_operators o on o.exchange_id = e.id and o.operator_id = ${ask.by}`}
    where ${sql.join([...conditions, found], sql` and `)}
    order by ${at} ${direction}, ${id} ${direction} limit ${limit})`;
  if (!ask.found) return those(sql`true`);
  const { condition: isFound, customers } = ask.found;
  // Each customer's by their index and no more than asked for: 200 customers may have very many.
  return sql`${those(isFound)} union all
    select x.* from unnest(${customers}::uuid[]) c (id),
      lateral ${those(sql`e.user_id = c.id and ${isFound} is not true`)} x`;
}

export async function findDeskRow(db: Db | Tx, desk: WarningSettings, id: Id): Promise<DeskRow> {
  return deskRows(db, desk, MAX_COMPLETED).where('e.id', '=', id).executeTakeFirstOrThrow();
}

const deskRows = (db: Db | Tx, desk: WarningSettings, maxCompleted: number) =>
  exchangeRows(db)
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .leftJoin('users as c', 'c.id', 'e.claimed_by')
    .select(['u.name as customer_name', 'u.created_at as customer_since', 'c.name as claimant'])
    .select([
      sql<number>`(select count(*)::int from proofs f where f.exchange_id = e.id)`.as(
        'proof_count',
      ),
      sql<boolean>`exists (select from proofs f join proofs o
        on o.sha256 = f.sha256 and o.exchange_id <> f.exchange_id
        where f.exchange_id = e.id)`.as('same_file'),
      sql<number>`(select count(*)::int from (select from exchanges d
        where d.user_id = e.user_id and d.state = 'completed' limit ${maxCompleted}) capped)`.as(
        'completed_count',
      ),
      referenceUsed.as('reference_used'),
      accountShared.as('account_shared'),
      limitsNear(desk).as('limits_near'),
    ]);

/** An upload of the same file to another exchange. */
export interface SameFile {
  proof_id: Id;
  number: string;
  customer: string;
  user_id: Id;
  uploaded_at: Date;
}

/** Newest first. */
export async function listSameFiles(
  db: Db | Tx,
  exchangeId: Id,
  limit: number,
): Promise<SameFile[]> {
  return db
    .selectFrom('proofs as f')
    .innerJoin('proofs as o', 'o.sha256', 'f.sha256')
    .innerJoin('exchanges as e', 'e.id', 'o.exchange_id')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select([
      'f.id as proof_id',
      'e.number',
      'u.name as customer',
      'e.user_id',
      'o.created_at as uploaded_at',
    ])
    .where('f.exchange_id', '=', exchangeId)
    .where('o.exchange_id', '<>', exchangeId)
    .orderBy('o.created_at', 'desc')
    .limit(limit)
    .execute();
}

/** What the desk's CSV has beside a row of the list. */
export interface ExportFacts {
  id: Id;
  customer_email: string;
  receipt_references: string | null;
  payout_references: string | null;
  refund_references: string | null;
  approvers: string | null;
  paid_out_by: string | null;
}

/** Ended records are left out, as in the sums beside them. */
export async function listExportFacts(
  db: Db,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, ExportFacts>> {
  const references = (
    table: string,
    state: string,
  ) => sql`(select string_agg(t.reference, ', ' order by t.at)
    from ${sql.table(table)} t where t.exchange_id = e.id and t.state = ${state})`;
  const { rows } = await sql<ExportFacts>`select e.id, u.email as customer_email,
      ${references('exchange_receipts', 'recorded')} as receipt_references,
      ${references('exchange_payouts', 'sent')} as payout_references,
      ${references('exchange_refunds', 'paid')} as refund_references,
      concat_ws(', ', f.name, a.name) as approvers,
      (select o.name from exchange_payouts t join users o on o.id = t.sent_by
        where t.exchange_id = e.id and t.state = 'sent') as paid_out_by
    from exchanges e join users u on u.id = e.user_id
      left join users a on a.id = e.approved_by left join users f on f.id = e.first_approved_by
    where e.id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
