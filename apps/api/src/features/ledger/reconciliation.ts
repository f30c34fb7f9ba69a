/**
 * Reconciliation: balances against the sum of entries, each entry's balance against the previous one,
 * each transaction against zero, held and owed amounts against open exchanges, and the figures of
 * exchanges against their postings. Triggers enforce the first three; this detects manipulation and
 * missing postings. It goes on from the last checkpoint, a verified state of the ledger, or reads the
 * whole ledger, which also detects a manipulation of older entries.
 */
import type { Reconciliation } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import { snapshot, type Db, type Tx } from '#platform/db/database.ts';
import type { AccountKind } from './postings.ts';
import * as store from './reconciliation-store.ts';
import { listBalances } from './store.ts';

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
  /** Of all exchanges, or at least of those with these ids. */
  readonly misposted: (tx: Tx, ids: readonly string[] | null) => Promise<readonly Misposted[]>;
}

type Difference = Reconciliation['differences'][number];

export type Scope = Reconciliation['scope'];

/** Without a checkpoint it is the whole ledger that is reconciled. */
export async function reconcile(
  db: Db,
  asked: Scope,
  exchanges: Exchanges,
): Promise<Reconciliation> {
  const { at, scope, wholeVerifiedAt, accounts, differences } = await snapshot(db, async (tx) => {
    const { at, last, whole_verified_at: wholeVerifiedAt } = await store.findCheckpoint(tx);
    const checkpoint = asked === 'whole' ? null : last;
    const scope: Scope = checkpoint === null ? 'whole' : 'since_checkpoint';
    await store.prepare(tx, checkpoint);
    const accounts = await store.listAccountStates(tx, checkpoint);
    const differences = await listDifferences(tx, exchanges, checkpoint, accounts);
    return { at, scope, wholeVerifiedAt, accounts, differences };
  });
  const balanced = differences.length === 0;
  if (balanced && (scope === 'whole' || accounts.some(({ entries }) => entries > 0)))
    await store.insertCheckpoint(db, scope, at, accounts);
  const verifiedAt = balanced && scope === 'whole' ? at : wholeVerifiedAt;
  return {
    at: at.toISOString(),
    scope,
    whole_verified_at: verifiedAt?.toISOString() ?? null,
    balanced,
    differences,
  };
}

async function listDifferences(
  tx: Tx,
  exchanges: Exchanges,
  checkpoint: number | null,
  accounts: readonly store.AccountState[],
): Promise<Difference[]> {
  const posted = checkpoint === null ? null : await store.listPostedExchanges(tx, checkpoint);
  return [
    ...accounts
      .filter(({ balance, entered }) => balance !== entered)
      .map((row) => difference(row, 'balance', row.account, row.entered, row.balance)),
    ...(await store.listBroken(tx, checkpoint)).map((row) =>
      difference(row, 'statement', row.account, row.expected, row.found),
    ),
    ...(await store.listAltered(tx, checkpoint)).map((row) =>
      difference(row, 'checkpoint', row.account, row.expected, row.found),
    ),
    ...(await store.listUnbalanced(tx, checkpoint)).map(({ sum, ...currency }) =>
      difference(currency, 'sum', null, 0n, sum),
    ),
    ...(await holdDifferences(tx, await exchanges.openHolds(tx))),
    ...(await exchanges.misposted(tx, posted)).map((row) => ({
      ...difference(row, 'exchange', row.account, row.expected, row.found),
      exchange_number: row.number,
    })),
  ];
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
