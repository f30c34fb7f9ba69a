/** SQL of submissions that no operator has opened. */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import { exchangeRows, type Exchange } from './exchanges.ts';

/** Never claimed, submitted before this time, and not reported yet; the oldest first, without locked ones. */
export async function lockUnseen(tx: Tx, before: Date, limit: number): Promise<Exchange[]> {
  return exchangeRows(tx)
    .where('e.state', '=', 'payment_submitted')
    .where('e.submitted_at', '<=', before)
    .where('e.unseen_reported_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exchange_events as v')
            .select('v.id')
            .whereRef('v.exchange_id', '=', 'e.id')
            .where('v.action', '=', 'claim'),
        ),
      ),
    )
    .orderBy('e.submitted_at')
    .limit(limit)
    .forNoKeyUpdate('e')
    .skipLocked()
    .execute();
}

export async function markUnseenReported(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await tx
    .updateTable('exchanges')
    .set({ unseen_reported_at: now })
    .where('id', 'in', [...ids])
    .execute();
}
