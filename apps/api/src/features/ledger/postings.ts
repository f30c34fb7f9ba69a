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
 * are booked. The spread has the rounding, and is negative at a loss.
 */
export function conversion(exchange: Figures): Entry[] {
  const { send_minor: A, send_fee_minor: F, payout_minor: P, receive_fee_minor: G } = exchange;
  const M = exchange.mid_value_minor ?? P + G;
  return [
    ...entries(exchange.send_currency_id, {
      available: A,
      held: -A,
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

/** `refund`: the received amount is returned, less the desk's `charge` K. */
export function refundPaid(
  { send_currency_id }: Figures,
  received: bigint,
  charge: bigint,
): Entry[] {
  return entries(send_currency_id, {
    available: charge,
    held: -received,
    customer: received,
    fees: -charge,
  });
}

/** `excess_refund`: the amount above the expected one is returned. */
export function excessRefunded({ send_currency_id }: Figures, excess: bigint): Entry[] {
  return entries(send_currency_id, { customer: excess, held: -excess });
}

/** `payout_bounced`: the payout was returned and is owed again; the conversion remains. */
export function payoutBounced({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: P, customer: -P });
}

/** `return_charge`: the bank's charge for a returned payout. */
export function returnCharge({ receive_currency_id }: Figures, charge: bigint): Entry[] {
  return entries(receive_currency_id, { costs: charge, available: -charge });
}

/** `adjustment`: the desk puts money in (positive) or takes it out (negative). */
export function adjustment(currencyId: string, amount: bigint): Entry[] {
  return entries(currencyId, { available: amount, adjustments: -amount });
}
