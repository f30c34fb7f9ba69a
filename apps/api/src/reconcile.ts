/** Reconciliation from outside: for a command, beside a running service or without one. */
import type { Reconciliation } from '@cambist/contract/reserves';
import { pino } from 'pino';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import { connect, openDatabase } from '#platform/db/database.ts';

/** Compares the ledger of the migrated database at this URL and records the outcome. */
export async function reconcileDatabase(databaseUrl: string): Promise<Reconciliation> {
  const sql = connect(databaseUrl, 1);
  const db = openDatabase(sql);
  try {
    return await reconcileNow({ db, log: pino({ level: 'silent' }) });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
