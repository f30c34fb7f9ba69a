/** SQL of what customers and payout accounts have sent, and of what is held for customers. */
import { openStates } from '@cambist/contract/exchange-groups';
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

/** Serialises creations to one payout account, for correct limits. Taken after the customer's lock. */
export async function lockPayoutAccount(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payout account ${key}`}, 0))`.execute(
    tx,
  );
}

/** A sum of amounts that a customer, or others to the same payout account, sent or are to send. */
export interface Volume {
  /** By the customer. */
  readonly own: boolean;
  readonly to_account: boolean;
  /** In the pair. */
  readonly here: boolean;
  /** Since `day`. */
  readonly today: boolean;
  /** Cancelled or expired. */
  readonly ended: boolean;
  readonly unit: string;
  readonly decimals: number;
  readonly send_minor: bigint;
  /** The value when they were created, in `reporting_unit`; null where it was not known. */
  readonly reporting_unit: string | null;
  readonly value: string | null;
}

/** What was cancelled or expired counts for the day alone. */
export async function listVolumes(
  db: Db | Tx,
  ask: { userId: Id | null; pairId: Id | null; account: string | null; day: Date; month: Date },
): Promise<Volume[]> {
  const ended = sql`e.state in ('cancelled', 'expired')`;
  const { rows } = await sql<Volume>`
    select coalesce(e.user_id = ${ask.userId}, false) as own,
      coalesce(e.payout_account_key = ${ask.account}, false) as to_account,
      coalesce(e.pair_id = ${ask.pairId}, false) as here,
      e.created_at > ${ask.day} as today, ${ended} as ended, s.unit, s.decimals,
      e.reporting_unit, sum(e.send_minor) as send_minor, sum(e.reporting_value)::text as value
    from exchanges e join currencies s on s.id = e.send_currency_id
    where (e.user_id = ${ask.userId} or e.payout_account_key = ${ask.account})
      and e.created_at > ${ask.month} and e.state not in ('rejected', 'refunded')
      and (e.created_at > ${ask.day} or not ${ended})
    group by 1, 2, 3, 4, 5, 6, 7, 8`.execute(db);
  return rows;
}

// Literal, so that one plan serves every call.
const holdingStates = sql.join(
  openStates.filter((state) => state !== 'refund_pending').map((state) => sql.lit(state)),
);

/**
 * Whether a customer has completed an exchange; if not, the reserve of a currency with what open exchanges hold of it,
 * and the customer's own part.
 */
export async function findHolds(
  db: Db | Tx,
  { userId, currencyId }: { userId: Id; currencyId: Id },
): Promise<{ available: bigint; held: bigint; own: bigint; known: boolean }> {
  const known = sql`exists (select from exchanges where user_id = ${userId} and state = 'completed')`;
  // One statement: a hold moves between both figures, so their sum never changes by it.
  const { rows } = await sql<{ available: bigint; held: bigint; own: bigint; known: boolean }>`
    select
      coalesce((select balance from ledger_accounts
        where currency_id = ${currencyId} and kind = 'available'), 0) as available,
      coalesce(sum(payout_minor), 0) as held,
      coalesce(sum(payout_minor) filter (where user_id = ${userId}), 0) as own,
      ${known} as known
    from exchanges
    where receive_currency_id = ${currencyId} and state in (${holdingStates}) and not ${known}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('An aggregate has a row.');
  return row;
}

/** The customer's open exchanges, and those rejected since then that no payment came for. */
export async function countPending(
  tx: Tx,
  userId: Id,
  rejectedSince: Date,
): Promise<{ open: number; rejected: number }> {
  const { rows } = await sql<{ open: number; rejected: number }>`
    select count(*) filter (where state <> 'rejected') as open,
      count(*) filter (where state = 'rejected') as rejected
    from exchanges
    where user_id = ${userId} and (state = any(${openStates})
      or state = 'rejected' and state_changed_at > ${rejectedSince}
        and received_minor = 0)`.execute(tx);
  return rows[0] ?? { open: 0, rejected: 0 };
}
