/** What the CSV of a customer and that of the desk have in common. */
import { formatAmount } from '@cambist/money/amount';
import { displayRate } from '#features/pairs/price.ts';
import type { Exchange } from './store/exchanges.ts';
import type { Refunded } from './store/records.ts';

type Cell = (row: Exchange, back: Refunded) => string;

const sent = (minor: bigint, { send }: Exchange) => formatAmount(minor, send.decimals);

export const identity = {
  number: (row) => row.number,
  created_at: (row) => row.created_at.toISOString(),
  state: (row) => row.state,
} satisfies Record<string, Cell>;

export const amounts = {
  send_amount: (row) => sent(row.send_minor, row),
  send_currency: (row) => row.send.unit,
  receive_amount: (row) => formatAmount(row.payout_minor, row.receive.decimals),
  receive_currency: (row) => row.receive.unit,
  rate: (row) => displayRate(row),
  received_amount: (row) => sent(row.received_minor, row),
  refunded_amount: (row, back) => sent(back.refunded_minor, row),
  refund_charge: (row, back) => sent(back.refund_charge_minor, row),
} satisfies Record<string, Cell>;

export const stateChanged = {
  state_changed_at: (row) => row.state_changed_at.toISOString(),
} satisfies Record<string, Cell>;
