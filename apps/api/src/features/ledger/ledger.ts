/**
 * The ledger: double entry, append-only, enforced by the database. A feature posts a movement of
 * money in the transaction that causes it; the database refuses a posting above the reserve.
 */
import type { LedgerEntry, Reserve } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import type { SettingValue } from '@cambist/contract/settings';
import * as audit from '#features/audit/audit.ts';
import { amountFor } from '#features/content/settings/settings.ts';
import { findCurrency } from '#features/currencies/currencies.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { readAmount } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { errorDetail, violatedConstraint, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { adjustment, type AccountKind, type Entry } from './postings.ts';
import {
  findBalance,
  insertTransactions,
  listBalances,
  listEntries,
  type Head,
  type ReserveRow,
} from './store.ts';

export {
  charged,
  conversion,
  hold,
  moneyIn,
  payOut,
  payoutBounced,
  payoutRecalculated,
  refundPaid,
  release,
  reversed,
  tolerance,
  type Entry,
} from './postings.ts';
export { reconcile, type Misposted, type OpenHold, type Scope } from './reconciliation.ts';
export { deleteOldCheckpoints } from './reconciliation-store.ts';
export { listAvailable, type Head } from './store.ts';

/** The cache name of what is made of reserves: only a change by a person is announced. */
export const RESERVES = 'reserves';

export interface Posting {
  readonly head: Head;
  readonly entries: readonly Entry[];
}

/**
 * Posts one ledger transaction. Amounts in minor units, debit positive.
 * @throws Refusal 409 `insufficient_reserve` naming the currency; 409
 *   `state_conflict` where the same kind was posted for the same cause before
 */
export function post(tx: Tx, head: Head, entries: readonly Entry[]): Promise<void> {
  return postTogether(tx, [{ head, entries }]);
}

/**
 * Posts several transactions together, which takes the locks of all accounts in one order, so that
 * exchanges of opposite directions cannot deadlock.
 * @throws Refusal as `post`
 */
export async function postTogether(tx: Tx, postings: readonly Posting[]): Promise<void> {
  const filled = postings.filter(({ entries }) => entries.length > 0);
  if (filled.length === 0) return;
  await insertTransactions(
    tx,
    filled.map(({ head, entries }) => ({ ...head, id: newId(), entries })),
  ).catch(orPostingRefusal);
}

/**
 * Of a failed posting, or of a statement that was sent behind it in the same round trip and failed with it.
 * @throws Refusal as `post`; otherwise the error itself
 */
export function orPostingRefusal(error: unknown): never {
  throw postingRefusal(error) ?? error;
}

/** Null for a defect. */
function postingRefusal(error: unknown): Refusal | null {
  const constraint = violatedConstraint(error);
  if (constraint === 'ledger_transactions_once') {
    return new Refusal(409, 'state_conflict', 'This was already posted to the ledger.');
  }
  if (constraint !== 'ledger_accounts_covered') return null;
  // The trigger names the account and the currency. Only `available` can be insufficient without
  // a defect.
  const [account, unit, channel] = errorDetail(error).split('|');
  if (account !== 'available') return null;
  return insufficientReserve(unit ?? '', channel ?? '');
}

export function insufficientReserve(unit: string, channel: string): Refusal {
  return new Refusal(
    409,
    'insufficient_reserve',
    `The desk does not have enough ${unit} (${channel}) in reserve for this. Try a smaller amount.`,
  );
}

/** The reserve available for payouts, in minor units; 0 for an unknown currency. */
export async function available(db: Db | Tx, currencyId: string): Promise<bigint> {
  return (await findBalance(db, currencyId, 'available')) ?? 0n;
}

/** The balances of all currencies or of one. */
export async function reserves(
  db: Db | Tx,
  { low_reserve }: Pick<SettingValue<'desk'>, 'low_reserve'>,
  currencySlug?: string,
): Promise<Reserve[]> {
  const rows = await listBalances(db, currencySlug);
  const byCurrency = Map.groupBy(rows, ({ currency_id }) => currency_id);
  return [...byCurrency.values()].map((accounts) => reserve(accounts, low_reserve));
}

function reserve(
  accounts: ReserveRow[],
  lowReserves: SettingValue<'desk'>['low_reserve'],
): Reserve {
  const [first] = accounts;
  if (first === undefined) throw new Error('A currency has ledger accounts.');
  const { slug, unit, name, symbol, channel, kind, decimals } = first;
  const text = (minor: bigint) => formatAmount(minor, decimals);
  const of = (account: string) => accounts.find((row) => row.account === account)?.balance ?? 0n;
  const low = amountFor(lowReserves, first);
  return {
    currency: { slug, unit, name, symbol, channel, kind, decimals },
    available: text(of('available')),
    held: text(of('held')),
    low_below: low === null ? null : text(low),
    is_low: low !== null && of('available') < low,
    accounts: accounts.map(({ account, balance }) => ({ kind: account, balance: text(balance) })),
  };
}

export interface AdjustmentAsked {
  readonly direction: 'in' | 'out';
  /** Major units, as on the wire. */
  readonly amount: string;
  readonly reason: string;
}

/** Signed minor units. @throws Refusal 422 on `amount` */
export function readAdjustment({ direction, amount }: AdjustmentAsked, decimals: number): bigint {
  const minor = readAmount('amount', amount, decimals);
  if (minor === 0n) throw invalid({ amount: 'The amount must be above zero.' });
  return direction === 'in' ? minor : -minor;
}

interface Adjusted {
  readonly id: string;
  readonly slug: string;
  readonly decimals: number;
}

/**
 * `cause`: of an adjustment that waited, which is posted once.
 * @throws Refusal 422 on `amount`; 409 `insufficient_reserve`
 */
export async function postAdjustment(
  deps: Pick<Deps, 'published'>,
  tx: Tx,
  currency: Adjusted,
  asked: AdjustmentAsked,
  { actorId, cause = null }: { readonly actorId: string; readonly cause?: string | null },
): Promise<void> {
  const amount = readAdjustment(asked, currency.decimals);
  await post(
    tx,
    {
      kind: 'adjustment',
      exchange_id: null,
      cause,
      reference: null,
      reason: asked.reason,
      actor_id: actorId,
    },
    adjustment(currency.id, amount),
  );
  await deps.published.changed(tx, RESERVES);
}

/** Audits an adjustment; `data` says who asked for one that waited. */
export function recordAdjustment(
  tx: Tx,
  { id, slug }: Adjusted,
  { actor, origin }: { readonly actor: Actor; readonly origin: Origin | null },
  data: AdjustmentAsked & { readonly asked_by?: string },
): Promise<void> {
  return audit.record(tx, {
    actor,
    origin,
    action: 'reserve.adjusted',
    subject_kind: 'currency',
    subject_id: id,
    data: { currency: slug, ...data },
  });
}

const ENTRIES_PER_PAGE = 50;

/** Newest first. @throws Refusal 404; 422 on `cursor` */
export async function entriesPage(
  db: Db,
  currencySlug: string,
  asked: { cursor?: string; per_page?: number; account?: AccountKind },
): Promise<{ data: LedgerEntry[]; meta: { next_cursor: string | null; per_page: number } }> {
  const currency = await findCurrency(db, currencySlug);
  if (currency === undefined) throw notFound();
  const perPage = asked.per_page ?? ENTRIES_PER_PAGE;
  const rows = await listEntries(db, {
    currencyId: currency.id,
    account: asked.account,
    beforeId: readCursor(asked.cursor),
    limit: perPage + 1,
  });
  const data = rows
    .slice(0, perPage)
    .map(({ id: _id, created_at, amount, balance_after, ...row }) => ({
      ...row,
      at: created_at.toISOString(),
      amount: formatAmount(amount, currency.decimals),
      balance_after: formatAmount(balance_after, currency.decimals),
    }));
  const next = rows.length > perPage ? String(rows[perPage - 1]?.id) : null;
  return { data, meta: { next_cursor: next, per_page: perPage } };
}

/** The id of the last entry of the previous page. */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || /^[1-9][0-9]{0,17}$/.test(cursor)) return cursor;
  throw invalid({ cursor: 'The cursor does not belong to this list.' });
}
