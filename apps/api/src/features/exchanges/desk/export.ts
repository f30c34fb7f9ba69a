/** The desk's list as CSV. */
import { Readable } from 'node:stream';
import type { exportDeskExchanges } from '@cambist/contract/desk-views';
import type { QueryOf } from '@cambist/contract/endpoint';
import { formatAmount } from '@cambist/money/amount';
import type { By } from '#kernel/actor.ts';
import { csvLine } from '#kernel/csv.ts';
import { record } from '#features/audit/audit.ts';
import { displayRate } from '#features/pairs/price.ts';
import type { Deps } from '#platform/deps.ts';
import { openContext, toleranceOf, type ExchangeContext } from '../context.ts';
import { askOf } from '../operator-reads.ts';
import { exceptionOf } from '../records.ts';
import { listExportFacts, type ExportFacts } from '../store/export.ts';
import { listDesk, placeIn, type DeskRow } from '../store/lists.ts';

const BATCH = 500;

/** All of a queue that fits the filters, read in batches while it is sent; recorded in the audit log. */
export async function exportDesk(
  deps: Deps,
  by: By,
  query: QueryOf<typeof exportDeskExchanges>,
): Promise<Readable> {
  const { db } = deps;
  const context = await openContext(deps);
  const { ask } = await askOf(context, by.actor, query);
  // The log is never erased, and a search is a name or an address.
  const { search: _search, ...data } = query;
  await record(db, { ...by, action: 'exchange.list_exported', data });
  async function* lines() {
    yield csvLine(columns.map(([name]) => name));
    for (let after: { at: Date; id: string } | null = null; ;) {
      const rows = await listDesk(db, { ...ask, after, limit: BATCH });
      const facts = await listExportFacts(
        db,
        rows.map(({ id }) => id),
      );
      for (const row of rows) {
        const own = facts.get(row.id);
        if (own) yield csvLine(columns.map(([, cell]) => cell(row, own, context) ?? ''));
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = placeIn(ask.queue, last);
    }
  }
  return Readable.from(lines());
}

type Cell = (
  row: DeskRow,
  facts: ExportFacts,
  context: ExchangeContext,
) => string | null | undefined;

const sent = (minor: bigint, { send }: DeskRow) => formatAmount(minor, send.decimals);

const columns: readonly (readonly [string, Cell])[] = [
  ['number', (row) => row.number],
  ['created_at', (row) => row.created_at.toISOString()],
  ['state', (row) => row.state],
  ['exception', (row, _, context) => exceptionOf(row, toleranceOf(context, row.send))],
  ['pair', (row) => row.pair_slug],
  ['send_amount', (row) => sent(row.send_minor, row)],
  ['send_currency', (row) => row.send.unit],
  ['receive_amount', (row) => formatAmount(row.payout_minor, row.receive.decimals)],
  ['receive_currency', (row) => row.receive.unit],
  ['rate', (row) => displayRate(row)],
  ['received_amount', (row) => sent(row.received_minor, row)],
  ['refunded_amount', (row, facts) => sent(facts.refunded_minor, row)],
  ['customer', (row) => row.customer_name],
  ['customer_email', (_, facts) => facts.customer_email],
  ['payment_reference', (row) => row.payment_reference],
  ['receipt_references', (_, facts) => facts.receipt_references],
  ['payout_references', (_, facts) => facts.payout_references],
  ['refund_references', (_, facts) => facts.refund_references],
  ['claimed_by', (row) => row.claimant],
  ['approved_by', (_, facts) => facts.approvers],
  ['paid_out_by', (_, facts) => facts.paid_out_by],
  ['completed_at', (row) => row.completed_at?.toISOString()],
  ['state_changed_at', (row) => row.state_changed_at.toISOString()],
];
