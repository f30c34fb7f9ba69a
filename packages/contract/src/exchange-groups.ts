import type { ExchangeState } from './exchanges.ts';

/** The groups of lists. An open exchange can still end with a payout. */
export const openStates = [
  'awaiting_payment',
  'payment_submitted',
  'under_review',
  'on_hold',
  'approved',
  'refund_pending',
] as const satisfies readonly ExchangeState[];
export const doneStates = ['completed'] as const satisfies readonly ExchangeState[];
export const closedStates = [
  'cancelled',
  'expired',
  'rejected',
  'refunded',
] as const satisfies readonly ExchangeState[];
