/** SQL of what the desk's CSV has beside the rows of the list. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/db/database.ts';

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
