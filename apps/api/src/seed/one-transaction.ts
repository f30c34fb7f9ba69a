/**
 * Lets the features' functions, each of which opens a transaction, write within
 * one that spans them all: a first start writes everything or nothing.
 */
import { sql } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import { allowStatements, transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';

/** Two starters must not seed twice. Any constant will do, as long as it never changes. */
const SEED_LOCK = 0x73656564;
const LOCK_PATIENCE_MS = MINUTE;
/** Pictures are drawn between statements, on whatever machine this is. */
const DRAWING_PATIENCE = '120s';

/**
 * Runs `work` with deps whose transactions are parts of one, alone among all
 * processes. What it wrote is committed when it ends, and rolled back when it throws.
 */
export async function inOneTransaction<T>(
  deps: Deps,
  work: (deps: Deps, tx: Tx) => Promise<T>,
): Promise<T> {
  return transaction(deps.db, async (tx) => {
    await sql`select set_config('lock_timeout', ${String(LOCK_PATIENCE_MS)}, true)`.execute(tx);
    await allowStatements(tx, LOCK_PATIENCE_MS);
    await sql`select set_config('idle_in_transaction_session_timeout', ${DRAWING_PATIENCE}, true)`.execute(
      tx,
    );
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx);
    return work({ ...deps, db: tx }, tx);
  });
}
