/**
 * Pure: the ledger's table of events. Each function turns an exchange's figures
 * into the entries of one transaction, debit positive and credit negative, in
 * minor units; each sums to zero in each currency. Lines of zero are left out.
 * The letters in the comments are those of the table in docs/decisions/0009.
 */
import type { LedgerAccountsTable } from '#platform/db/tables.generated.ts';

export type AccountKind = LedgerAccountsTable['kind'];

export interface Entry {
  readonly currency_id: string;
  readonly account: AccountKind;
  readonly amount: bigint;
}

/** An exchange's frozen figures, named as in its row so that the row itself fits. */
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

/** `hold`: the payout is promised, at creation and again at a late receipt. */
export function hold({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: P, available: -P });
}

/** `release`: the promise ends without a payout: cancelled, expired, rejected, or a refund begins. */
export function release({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: -P, available: P });
}

/**
 * `money_in`: what the customer paid arrived. It stays held until completion, so
 * that a refund never lacks reserve. `received` is Z, in the send currency.
 */
export function moneyIn({ send_currency_id }: Figures, received: bigint): Entry[] {
  return entries(send_currency_id, { held: received, customer: -received });
}

/**
 * `recalculation`: the customer paid more or less than expected and the payout
 * becomes `newPayout`. A higher one needs reserve, and may be refused for it.
 */
export function payoutRecalculated(exchange: Figures, newPayout: bigint): Entry[] {
  const difference = newPayout - exchange.payout_minor;
  return entries(exchange.receive_currency_id, { held: difference, available: -difference });
}

/**
 * `conversion`, once: the customer's claim moves from the send currency to the
 * receive currency, and what the desk earns is named: fees on both sides, and
 * the spread against the mid rate (with the rounding; negative against the desk).
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

/** `payout`: the held payout leaves for the customer. */
export function payOut({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { customer: P, held: -P });
}

/**
 * `refund`: all that was received goes back, less the `charge` K that the desk
 * keeps as a fee.
 */
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

/** `excess_refund`: what was paid beyond the expected amount goes back. */
export function excessRefunded({ send_currency_id }: Figures, excess: bigint): Entry[] {
  return entries(send_currency_id, { customer: excess, held: -excess });
}

/** `payout_bounced`: the payout came back and is owed again; the conversion stands. */
export function payoutBounced({ receive_currency_id, payout_minor: P }: Figures): Entry[] {
  return entries(receive_currency_id, { held: P, customer: -P });
}

/** `return_charge`: what a bank took for returning a payout. */
export function returnCharge({ receive_currency_id }: Figures, charge: bigint): Entry[] {
  return entries(receive_currency_id, { costs: charge, available: -charge });
}

/** `adjustment`: the desk puts money in (positive) or takes it out (negative). */
export function adjustment(currencyId: string, amount: bigint): Entry[] {
  return entries(currencyId, { available: amount, adjustments: -amount });
}
