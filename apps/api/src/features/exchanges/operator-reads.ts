/** What operators read: queues, their counts, and one exchange in detail. */
import type { Dashboard } from '@cambist/contract/dashboard';
import type { DeskExchangeDetail, listDeskExchanges } from '@cambist/contract/desk';
import type { QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import type { Actor } from '#kernel/actor.ts';
import { notFound } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import { snapshot, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { listAbout } from '#features/contact/contact.ts';
import { available } from '#features/ledger/ledger.ts';
import { secondApproverThreshold } from '#features/pairs/second-approver.ts';
import { factsOf, type Committed } from './actions/transition.ts';
import { openContext, toleranceOf, type ExchangeContext } from './context.ts';
import { deskDetailView, deskRowView } from './operator-view.ts';
import { readParts, type Parts } from './parts.ts';
import { databaseTime, findExchange } from './store/exchanges.ts';
import { filterConditions } from './store/filters.ts';
import * as lists from './store/lists.ts';
import * as queues from './store/queues.ts';
import { readSearch } from './store/search.ts';

const PER_PAGE = 25;
const COUNT_CAP = 1000;
const MAX_SAME_FILES = 10;

type DeskQuery = QueryOf<typeof listDeskExchanges>;

/** One page of a queue. @throws Refusal 422 on `cursor` */
export async function listQueue(
  deps: Deps,
  actor: Actor,
  { cursor, per_page = PER_PAGE, ...query }: DeskQuery,
): Promise<ReplyOf<typeof listDeskExchanges>> {
  const { db } = deps;
  const context = await openContext(deps);
  const after = cursor === undefined ? null : readTimeCursor(cursor);
  const { ask, cut } = await askOf(context, actor, query, query.queue === 'all');
  const { now } = ask;
  const rows = await lists.listDesk(db, { ...ask, after, limit: per_page + 1 });
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const isFiltered = ask.conditions.length > 0 || Boolean(ask.found) || ask.by !== undefined;
  return {
    data: page.map((row) => deskRowView(row, actor.id, now, toleranceOf(context, row.send))),
    meta: {
      next_cursor: last ? writeTimeCursor(last.place) : null,
      per_page,
      total:
        !isFiltered || after
          ? null
          : last
            ? await lists.countDesk(db, ask, COUNT_CAP)
            : page.length,
      search_cut: cut,
    },
  };
}

/** What a query asks of the store, from its first row on; `isBounded` as in `readSearch`. */
export async function askOf(
  context: ExchangeContext,
  actor: Actor,
  { queue = 'to_review', search = '', operator, ...filter }: Omit<DeskQuery, 'cursor' | 'per_page'>,
  isBounded = false,
): Promise<{ ask: lists.DeskSource; cut: boolean }> {
  const found = search.trim() === '' ? null : await readSearch(context.db, search, isBounded);
  return {
    ask: {
      queue,
      operatorId: actor.id,
      now: await databaseTime(context.db),
      desk: context.desk,
      by: operator,
      conditions: filterConditions(filter, context.desk),
      found,
    },
    cut: found?.cut ?? false,
  };
}

export async function countQueues(db: Db, actor: Actor) {
  const now = await databaseTime(db);
  const { oldest_to_review_at, ...counts } = await queues.countQueues(db, {
    now,
    operatorId: actor.id,
  });
  return { ...counts, oldest_to_review_at: oldest_to_review_at?.toISOString() ?? null };
}

export async function listOpenWork(db: Db): Promise<Dashboard['open']> {
  const open = await queues.listOpenWork(db, await databaseTime(db));
  return open.map((each) => ({ ...each, oldest_at: each.oldest_at.toISOString() }));
}

/** @throws Refusal 404 */
export async function getForOperator(
  deps: Deps,
  actor: Actor,
  number: string,
): Promise<{ data: DeskExchangeDetail }> {
  const context = await openContext(deps);
  return snapshot(deps.db, async (tx) => {
    const exchange = await findExchange(tx, number);
    if (!exchange) throw notFound();
    const now = await context.readTime(tx);
    return operatorAnswer(context, tx, actor, { exchange, now });
  });
}

/** The reply of an operator's action; read after its postings, because it has the remaining reserve. */
export async function operatorAnswer(
  context: ExchangeContext,
  tx: Tx,
  actor: Actor,
  { exchange, now }: Pick<Committed, 'exchange' | 'now'>,
  known?: { readonly parts: Parts; readonly row: lists.DeskRow },
): Promise<{ data: DeskExchangeDetail }> {
  const { id, number, receive_currency_id } = exchange;
  // In one round trip.
  const [parts, row, sameFiles, contact, availableMinor] = await Promise.all([
    known?.parts ?? readParts(tx, exchange),
    known?.row ?? lists.findDeskRow(tx, context.desk, id),
    known?.row.same_file === false ? [] : lists.listSameFiles(tx, id, MAX_SAME_FILES),
    listAbout(tx, number),
    available(tx, receive_currency_id),
  ]);
  const { records, proofs } = parts;
  const given = { exchange: row, records, proofCount: proofs.length, actor, now };
  return {
    data: deskDetailView({
      ...parts,
      row,
      sameFiles,
      contact,
      availableMinor,
      facts: factsOf(context, given),
      operatorId: actor.id,
      toleranceMinor: toleranceOf(context, row.send),
      secondApproverAbove: await secondApproverThreshold(context, row.send, tx),
    }),
  };
}
