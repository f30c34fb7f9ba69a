/**
 * Reconciliation: balances against the sum of entries, each entry's balance against the previous one,
 * each transaction against zero, held and owed amounts against open exchanges, and the figures of
 * exchanges against their postings. Triggers enforce the first three; this detects manipulation and
 * missing postings.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import type { Db, Tx } from '#platform/db/database.ts';
import type { AccountKind } from './postings.ts';
import { inSnapshot, listBalances, listBroken, listMisstated, listUnbalanced } from './store.ts';

/** The part of open exchanges in one currency, in minor units, both positive. */
export interface OpenHold {
  readonly currency_id: string;
  /** Payouts that are not yet sent, and received money that is not yet converted or returned. */
  readonly held: bigint;
  /** Received money that is not yet converted, paid out or returned. */
  readonly owed: bigint;
}

/** An exchange whose postings differ from its figures and state; minor units. */
export interface Misposted {
  readonly number: string;
  readonly slug: string;
  readonly decimals: number;
  readonly account: AccountKind;
  readonly expected: bigint;
  readonly found: bigint;
}

/** Queries of exchanges within the snapshot, since the ledger must not know their tables. */
export interface Exchanges {
  /** Rows of a currency are added up. */
  readonly openHolds: (tx: Tx) => Promise<readonly OpenHold[]>;
  readonly misposted: (tx: Tx) => Promise<readonly Misposted[]>;
}

type Difference = Reconciliation['differences'][number];

export function reconcile(db: Db, exchanges: Exchanges): Promise<Reconciliation> {
  return inSnapshot(db, async (tx, at) => {
    const differences = [
      ...(await listMisstated(tx)).map(({ account, balance, entered, ...currency }) =>
        difference(currency, 'balance', account, entered, balance),
      ),
      ...(await listBroken(tx)).map(({ account, expected, found, ...currency }) =>
        difference(currency, 'statement', account, expected, found),
      ),
      ...(await listUnbalanced(tx)).map(({ sum, ...currency }) =>
        difference(currency, 'sum', null, 0n, sum),
      ),
      ...(await holdDifferences(tx, await exchanges.openHolds(tx))),
      ...(await exchanges.misposted(tx)).map(
        ({ number, account, expected, found, ...currency }) => ({
          ...difference(currency, 'exchange', account, expected, found),
          exchange_number: number,
        }),
      ),
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
  return {
    currency: slug,
    what,
    account,
    exchange_number: null,
    expected: text(expected),
    found: text(found),
  };
}
