/**
 * Reconciliation: does what stands agree with what happened? Balances against
 * the sum of entries, each transaction against zero, and what is held and owed
 * against the open exchanges. The triggers keep the first two; this finds what
 * went around them, and what a feature forgot to post.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import type { Db, Tx } from '#platform/database.ts';
import { inSnapshot, listBalances, listMisstated, listUnbalanced } from './store.ts';

/** What open exchanges account for in one currency, in minor units, both positive. */
export interface OpenHold {
  readonly currency_id: string;
  /** Payouts promised and not yet made, and money received and not yet converted or returned. */
  readonly held: bigint;
  /** What the desk owes customers: money received and not yet converted, paid out or returned. */
  readonly owed: bigint;
}

type Difference = Reconciliation['differences'][number];

/**
 * Compares everything in one snapshot, so that an exchange that moves meanwhile
 * makes no difference. `openHolds` is asked inside of it: the ledger ranks above
 * exchanges and does not know their tables. Several rows of a currency add up;
 * a currency without one is expected to hold nothing.
 */
export function reconcile(
  db: Db,
  openHolds: (tx: Tx) => Promise<readonly OpenHold[]>,
): Promise<Reconciliation> {
  return inSnapshot(db, async (tx, at) => {
    const differences = [
      ...(await listMisstated(tx)).map(({ slug, decimals, account, balance, entered }) =>
        difference({ slug, decimals }, 'balance', account, entered, balance),
      ),
      ...(await listUnbalanced(tx)).map(({ slug, decimals, sum }) =>
        difference({ slug, decimals }, 'sum', null, 0n, sum),
      ),
      ...(await holdDifferences(tx, await openHolds(tx))),
    ];
    return { at: at.toISOString(), balanced: differences.length === 0, differences };
  });
}

async function holdDifferences(tx: Tx, open: readonly OpenHold[]): Promise<Difference[]> {
  const held = new Map<string, bigint>();
  const owed = new Map<string, bigint>();
  for (const row of open) {
    held.set(row.currency_id, (held.get(row.currency_id) ?? 0n) + row.held);
    owed.set(row.currency_id, (owed.get(row.currency_id) ?? 0n) + row.owed);
  }
  return (await listBalances(tx)).flatMap((row) => {
    const { account, balance, currency_id: id } = row;
    if (account !== 'held' && account !== 'customer') return [];
    const expected = account === 'held' ? (held.get(id) ?? 0n) : -(owed.get(id) ?? 0n);
    return expected === balance ? [] : [difference(row, account, account, expected, balance)];
  });
}

function difference(
  { slug, decimals }: { slug: string; decimals: number },
  what: Difference['what'],
  account: Difference['account'],
  expected: bigint,
  found: bigint,
): Difference {
  const text = (minor: bigint) => formatAmount(minor, decimals);
  return { currency: slug, what, account, expected: text(expected), found: text(found) };
}
