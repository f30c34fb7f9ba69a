/** The command `npm run reconcile`, with or without a running service. */
import type { Reconciliation } from '@cambist/contract/reserves';
import { pino } from 'pino';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import { connect, openDatabase } from '#platform/db/database.ts';

/** Reconciles the whole ledger of the database at this URL and records the outcome. */
export async function reconcileDatabase(databaseUrl: string): Promise<Reconciliation> {
  const sql = connect(databaseUrl, 1);
  const db = openDatabase(sql);
  try {
    return await reconcileNow({ db, log: pino({ level: 'silent' }) }, 'whole');
  } finally {
    await sql.end({ timeout: 5 });
  }
}
