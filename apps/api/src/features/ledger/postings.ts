/**
 * Pure: the entries of each kind of transaction, debit positive, in minor units, with the sum zero
 * in each currency and without zero entries. The symbols are those of the table in
 * docs/decisions/0009.
 */
import type { LedgerAccountsTable } from '#platform/db/tables.generated.ts';

export type AccountKind = LedgerAccountsTable['kind'];

export interface Entry {
  readonly currency_id: string;
  readonly account: AccountKind;
  readonly amount: bigint;
}

/** The frozen figures of an exchange, named as in its row. */
export interface Figures {
  readonly send_currency_id: string;
  readonly receive_currency_id: string;
  /** A */
  readonly send_minor: bigint;
  /** F */
  readonly send_fee_minor: bigint;
  /** P */
  readonly payout_minor: bigint;
  /** G */
  readonly receive_fee_minor: bigint;
  /** M: (A − F) at the mid rate; null where there was none, and then there is no spread. */
  readonly mid_value_minor: bigint | null;
}

type Lines = Partial<Record<AccountKind, bigint>>;

function entries(currencyId: string, lines: Lines): Entry[] {
  return (Object.entries(lines) as [AccountKind, bigint][])
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ currency_id: currencyId, account, amount }));
}

/** `hold`: reserves the payout, at the creation and again at a late receipt. */
export function hold({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: P, available: -P });
}

/** `release`: the exchange ends without a payout, or a refund begins. */
export function release({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: -P, available: P });
}

/**
 * `money_in`: the payment has arrived. It is held until the completion, so that a refund is always
 * covered. `received` is Z, in the send currency.
 */
export function moneyIn({ send_currency_id }: Figures, received: bigint): Entry[] {
  return entries(send_currency_id, { held: received, customer: -received });
}

/** `recalculation`: another amount was paid, so the payout becomes `newPayout`; a higher one needs reserve. */
export function payoutRecalculated(exchange: Figures, newPayout: bigint): Entry[] {
  const difference = newPayout - exchange.payout_minor;
  return entries(exchange.receive_currency_id, { held: difference, available: -difference });
}

/**
 * `conversion`: the customer's claim moves to the receive currency, and the desk's fees and spread
 * are booked. The spread has the rounding, and is negative at a loss. `tolerated` is what was received
 * above the expected amount, negative below it: what is short was never held.
 */
export function conversion(exchange: Figures, tolerated: bigint): Entry[] {
  const { send_minor: A, send_fee_minor: F, payout_minor: P, receive_fee_minor: G } = exchange;
  const M = exchange.mid_value_minor ?? P + G;
  const received = tolerated < 0n ? A + tolerated : A;
  return [
    ...entries(exchange.send_currency_id, {
      available: received,
      held: -received,
      customer: A,
      fees: -F,
      position: -(A - F),
    }),
    ...entries(exchange.receive_currency_id, {
      position: M,
      customer: -P,
      fees: -G,
      spread: -(M - P - G),
    }),
  ];
}

/** `payout`: the held payout is sent to the customer. */
export function payOut({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { customer: P, held: -P });
}

/** `tolerance`: with the conversion, the desk bears a shortfall and keeps an excess. */
export function tolerance({ send_currency_id }: Figures, tolerated: bigint): Entry[] {
  return tolerated < 0n
    ? entries(send_currency_id, { costs: -tolerated, customer: tolerated })
    : entries(send_currency_id, {
        available: tolerated,
        held: -tolerated,
        customer: tolerated,
        fees: -tolerated,
      });
}

/** `refund`, `excess_refund`: the amount is given back, less the desk's `charge` K. */
export function refundPaid({ send_currency_id }: Figures, amount: bigint, charge: bigint): Entry[] {
  return entries(send_currency_id, {
    available: charge,
    held: -amount,
    customer: amount,
    fees: -charge,
  });
}

/** `payout_bounced`: the payout was returned and is owed again; the conversion remains. */
export function payoutBounced({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: P, customer: -P });
}

/** `payout_charge`, `return_charge`: the bank's charge, which the desk bears. */
export function charged({ receive_currency_id }: Figures, charge: bigint): Entry[] {
  return entries(receive_currency_id, { costs: charge, available: -charge });
}

/** `money_in_reversed`, `refund_returned`, `conversion_reversed`, `tolerance_reversed`. */
export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amount: -entry.amount }));
}

/** `adjustment`: the desk puts money in (positive) or takes it out (negative). */
export function adjustment(currencyId: string, amount: bigint): Entry[] {
  return entries(currencyId, { available: amount, adjustments: -amount });
}
