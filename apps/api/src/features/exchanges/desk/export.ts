/** The desk's list as CSV. */
import { Readable } from 'node:stream';
import type { exportDeskExchanges } from '@cambist/contract/desk-views';
import type { QueryOf } from '@cambist/contract/endpoint';
import type { By } from '#kernel/actor.ts';
import { csvLine } from '#kernel/csv.ts';
import { record } from '#features/audit/audit.ts';
import type { Deps } from '#platform/deps.ts';
import { openContext, toleranceOf, type ExchangeContext } from '../context.ts';
import { amounts, identity, stateChanged } from '../csv-columns.ts';
import { askOf } from '../operator-reads.ts';
import { exceptionOf } from '../records.ts';
import { listDesk, listExportFacts, type DeskRow, type ExportFacts } from '../store/lists.ts';
import { listRefunded, type Refunded } from '../store/records.ts';

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
  const cells = Object.values(columns);
  async function* lines() {
    yield csvLine(Object.keys(columns));
    for (let after: { at: Date; id: string } | null = null; ;) {
      const rows = await listDesk(db, { ...ask, after, limit: BATCH });
      const facts = await listExportFacts(
        db,
        rows.map(({ id }) => id),
      );
      const refundedOf = await listRefunded(db, rows);
      for (const row of rows) {
        const found = facts.get(row.id);
        const own = found && { ...found, ...refundedOf(row.id) };
        if (own) yield csvLine(cells.map((cell) => cell(row, own, context) ?? ''));
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.place;
    }
  }
  return Readable.from(lines());
}

type Cell = (
  row: DeskRow,
  facts: ExportFacts & Refunded,
  context: ExchangeContext,
) => string | null | undefined;

const columns: Readonly<Record<string, Cell>> = {
  ...identity,
  exception: (row, _, context) => exceptionOf(row, toleranceOf(context, row.send)),
  pair: (row) => row.pair_slug,
  ...amounts,
  customer: (row) => row.customer_name,
  customer_email: (_, facts) => facts.customer_email,
  payment_reference: (row) => row.payment_reference,
  receipt_references: (_, facts) => facts.receipt_references,
  payout_references: (_, facts) => facts.payout_references,
  refund_references: (_, facts) => facts.refund_references,
  claimed_by: (row) => row.claimant,
  approved_by: (_, facts) => facts.approvers,
  paid_out_by: (_, facts) => facts.paid_out_by,
  completed_at: (row) => row.completed_at?.toISOString(),
  ...stateChanged,
};
