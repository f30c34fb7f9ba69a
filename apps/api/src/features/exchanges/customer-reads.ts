/** What customers read: their exchanges as pages, details and CSV; and the public list of latest exchanges. */
import { closedStates, doneStates, openStates } from '@cambist/contract/exchange-groups';
import type {
  Exchange as ExchangeView,
  ExchangeSummary,
  LatestExchange,
} from '@cambist/contract/exchanges';
import { formatAmount } from '@cambist/money/amount';
import type { Actor } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import { pageEnvelope, pageWindow, type PageQuery } from '#kernel/page.ts';
import { csvLine } from '#kernel/csv.ts';
import { notFound } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import { snapshot, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { proofsOf, type Proof } from '#features/proofs/proofs.ts';
import { factsOf, type Committed } from './actions/transition.ts';
import { openContext, toleranceOf, type ExchangeContext } from './context.ts';
import { amounts, identity, stateChanged } from './csv-columns.ts';
import { exchangeView, summaryOf } from './customer-view.ts';
import { readParts, type Parts } from './parts.ts';
import * as store from './store/exchanges.ts';
import * as lists from './store/lists.ts';
import { listRefunded } from './store/records.ts';

/** The reply of a customer's action. */
export function customerAnswer(
  context: ExchangeContext,
  { exchange, now }: Pick<Committed, 'exchange' | 'now'>,
  parts: Parts,
): { data: ExchangeView } {
  const { records, proofs } = parts;
  const actor = { id: exchange.user_id, permissions: [] };
  const facts = factsOf(context, { exchange, records, proofCount: proofs.length, actor, now });
  const toleranceMinor = toleranceOf(context, exchange.send);
  return { data: exchangeView(exchange, { ...parts, facts, toleranceMinor }) };
}

/** @throws Refusal 404, also for another customer's exchange */
export async function getOwn(
  deps: Deps,
  actor: Actor,
  number: string,
): Promise<{ data: ExchangeView }> {
  const context = await openContext(deps);
  return snapshot(deps.db, async (tx) => {
    const exchange = await findOwn(tx, actor, number);
    const now = await context.readTime(tx);
    return customerAnswer(context, { exchange, now }, await readParts(tx, exchange));
  });
}

/** @throws Refusal 404, also for another customer's exchange, so that its existence is not revealed */
export async function findOwn(db: Db | Tx, actor: Actor, number: string): Promise<store.Exchange> {
  const exchange = await store.findExchange(db, number);
  if (!exchange || exchange.user_id !== actor.id) throw notFound();
  return exchange;
}

/** Undefined for an unknown proof. @throws Refusal 404 */
export async function findOwnProof(
  db: Db,
  actor: Actor,
  { number, id }: { number: string; id: string },
): Promise<Proof | undefined> {
  const exchange = await findOwn(db, actor, number);
  return (await proofsOf(db, exchange.id)).find((proof) => proof.id === id);
}

export interface HistoryQuery extends PageQuery {
  readonly cursor?: string;
  readonly state?: 'open' | 'done' | 'closed';
  /** Days in UTC, both included: `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
}

const PATH = '/api/exchanges';
/** What is counted and reached by number; a cursor goes on. */
const MAX_COUNTED = 10_000;
const groups = { open: openStates, done: doneStates, closed: closedStates } as const;

function filterOf(actor: Actor, { state, from, to }: HistoryQuery): lists.OwnFilter {
  return {
    userId: actor.id,
    ...(state === undefined ? {} : { states: groups[state] }),
    ...(from === undefined ? {} : { from: new Date(`${from}T00:00:00Z`) }),
    ...(to === undefined ? {} : { before: new Date(new Date(`${to}T00:00:00Z`).getTime() + DAY) }),
  };
}

/** @throws Refusal 422 on `cursor` */
export async function listOwn(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  query: HistoryQuery,
) {
  const filter = filterOf(actor, query);
  const { state, from, to, cursor } = query;
  const window = pageWindow(query);
  const place = cursor === undefined ? window : { after: readTimeCursor(cursor) };
  const total = await lists.countOwn(db, filter, MAX_COUNTED);
  const rows = await lists.listOwn(db, filter, { ...place, limit: window.limit + 1 });
  const page = rows.slice(0, window.limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  const list = { total, shown: page.length, path: `${config.appUrl}${PATH}` };
  const { links, meta } = pageEnvelope(window, list, { state, from, to });
  const next_cursor = last ? writeTimeCursor({ at: last.created_at, id: last.id }) : null;
  return {
    data: page.map(summaryOf) satisfies ExchangeSummary[],
    links,
    meta: { ...meta, next_cursor },
  };
}

/** Bounds the cost of one request. */
const MAX_EXPORT = 10_000;
const columns = { ...identity, ...amounts, ...stateChanged };

/** RFC 4180, newest first. */
export async function exportOwn(
  db: Deps['db'],
  actor: Actor,
  query: HistoryQuery,
): Promise<string> {
  const rows = await lists.listOwn(db, filterOf(actor, query), { limit: MAX_EXPORT });
  const refundedOf = await listRefunded(db, rows);
  const cellsOf = (row: store.Exchange) =>
    Object.values(columns).map((cell) => cell(row, refundedOf(row.id)));
  return [Object.keys(columns), ...rows.map(cellsOf)].map(csvLine).join('');
}

const MAX_LATEST = 10;

export async function latest(db: Deps['db']): Promise<LatestExchange[]> {
  const rows = await lists.listLatest(db, MAX_LATEST);
  return rows.map((row) => ({
    send_amount: formatAmount(row.send_minor, row.send.decimals),
    send: row.send,
    receive_amount: formatAmount(row.payout_minor, row.receive.decimals),
    receive: row.receive,
    customer: initials(row.customer),
    state: row.state === 'completed' ? 'completed' : 'approved',
    at: row.state_changed_at.toISOString(),
  }));
}

/** `A. M.`: the initials of the first and the last name. */
export function initials(name: string): string {
  const parts = name.split(/[^\p{L}\p{M}]+/u).filter((part) => part !== '');
  const shown = parts.length > 1 ? [parts.at(0), parts.at(-1)] : parts;
  return shown.map((part) => `${[...(part ?? '')][0]?.toUpperCase() ?? ''}.`).join(' ') || '–';
}
