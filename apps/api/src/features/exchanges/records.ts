/** Pure: receipts, payouts, refunds, approvals and questions of one exchange, and what follows from them. */
import type { ExchangeException } from '@cambist/contract/exchange-records';
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { Selectable } from 'kysely';
import type {
  ExchangeApprovalsTable,
  ExchangeMessagesTable,
  ExchangePayoutsTable,
  ExchangeQuestionsTable,
  ExchangeReceiptsTable,
  ExchangeRefundsTable,
} from '#platform/db/tables.generated.ts';

export type Receipt = Selectable<ExchangeReceiptsTable> & { readonly recorder: string };
export type Payout = Selectable<ExchangePayoutsTable>;
export type Refund = Selectable<ExchangeRefundsTable>;
export type Approval = Selectable<ExchangeApprovalsTable> & { readonly approver: string };
export type Question = Selectable<ExchangeQuestionsTable>;
export type Message = Selectable<ExchangeMessagesTable>;

interface Amounts {
  readonly send_minor: bigint;
  readonly payout_minor: bigint;
  readonly rate: string;
  readonly rate_digits: number;
}
export interface Recalculation {
  readonly before: Amounts;
  readonly after: Amounts;
  readonly at: Date;
}

/** Lists are oldest first. */
export interface Records {
  readonly receipts: readonly Receipt[];
  readonly payouts: readonly Payout[];
  readonly refunds: readonly Refund[];
  readonly approvals: readonly Approval[];
  readonly questions: readonly Question[];
  readonly recalculations: readonly Recalculation[];
}

export const noRecords: Records = {
  receipts: [],
  payouts: [],
  refunds: [],
  approvals: [],
  questions: [],
  recalculations: [],
};

export const isOpenRefund = ({ state }: Pick<Refund, 'state'>) =>
  state === 'awaiting_account' || state === 'to_pay';

export function openRefunds({ refunds }: Records): Refund[] {
  return refunds.filter(isOpenRefund);
}

/** The payout that is to be sent. */
export function openPayout({ payouts }: Records): Payout | undefined {
  return payouts.find(({ state }) => state === 'to_pay');
}

/** The payout that left and was not sent back. */
export function sentPayout({ payouts }: Records): Payout | undefined {
  return payouts.find(({ state }) => state === 'sent');
}

/** What was paid back and did not return, in minor units of the send currency. */
export function refundedMinor({ refunds }: Pick<Records, 'refunds'>): bigint {
  return refunds
    .filter(({ state }) => state === 'paid')
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
}

/**
 * Receipts that can still be reversed after the decision: those of an exchange that is to be refunded while
 * nothing was paid back, and those whose excess refund is not paid.
 */
export function unsettledReceipts({ receipts, refunds }: Records, state: ExchangeState): Receipt[] {
  const standing = receipts.filter(({ state }) => state === 'recorded');
  const untouched = refunds.every(({ state }) => state !== 'paid' && state !== 'returned');
  const hasOwn = ({ id }: Receipt) =>
    refunds.some((refund) => refund.receipt_id === id && isOpenRefund(refund));
  return standing.filter((receipt) => hasOwn(receipt) || (state === 'refund_pending' && untouched));
}

interface Received {
  readonly state: ExchangeState;
  readonly send_minor: bigint;
  readonly received_minor: bigint;
  readonly excess_minor: bigint;
  readonly is_late: boolean;
  readonly is_returned: boolean;
}

/** Received, less the excess that is given back, against the expected amount: positive above it. */
export function differenceOf({ send_minor, received_minor, excess_minor }: Received): bigint {
  return received_minor - excess_minor - send_minor;
}

/** What is still to be paid; a difference within the tolerance is not. */
export function missingMinor(exchange: Received, toleranceMinor: bigint): bigint {
  const missing = -differenceOf(exchange);
  return missing > (exchange.received_minor === 0n ? 0n : toleranceMinor) ? missing : 0n;
}

/** The SQL of lists says the same: `exceptionIs` in store/filters.ts. */
export function exceptionOf(exchange: Received, toleranceMinor: bigint): ExchangeException {
  const { state, received_minor, is_late, is_returned } = exchange;
  if (is_returned) return 'returned';
  if (is_late && state !== 'completed') return 'late';
  // A refund of the whole decides any difference.
  if (received_minor === 0n || state === 'refund_pending' || state === 'refunded') return 'none';
  const difference = differenceOf(exchange);
  if (difference > toleranceMinor) return 'over';
  return difference < -toleranceMinor ? 'part' : 'none';
}

/** The account of a payout in one text. */
export function accountText(lines: readonly { label: string; value: string }[]): string {
  return lines.map(({ label, value }) => `${label}: ${value}`).join('\n');
}
