/**
 * Pure: where the customer pays. An exchange keeps a copy of the payee account
 * as it was promised, with the QR code's text made out to its own amount.
 */
import type { FieldErrors } from '#kernel/amount-field.ts';
import type { PayeeJson } from '#platform/db/json-columns.ts';
import type { PayeeRow } from './store.ts';

const PLACE = /\{(\w*)\}/g;
const PLACES = ['amount', 'amount_minor', 'reference'];

/** `amountText` in major units, as a decimal string. */
export function snapshot(
  account: Pick<PayeeRow, 'label' | 'details' | 'instructions' | 'qr_template'>,
  amountText: string,
  reference: string,
): PayeeJson {
  const { label, details, instructions, qr_template } = account;
  const values: Readonly<Record<string, string>> = {
    amount: amountText,
    // Chains name the amount in their smallest unit: Ethereum's links in wei.
    amount_minor: amountText.replace('.', '').replace(/^0+(?=\d)/, ''),
    reference,
  };
  const qr = qr_template?.replace(PLACE, (place, name: string) => values[name] ?? place) ?? null;
  return { label, details, instructions, qr };
}

/** Sentences by field, for places that a template cannot fill. */
export function templateErrors(accounts: readonly { qr_template: string | null }[]): FieldErrors {
  const errors: FieldErrors = {};
  accounts.forEach(({ qr_template }, at) => {
    for (const [place, name = ''] of (qr_template ?? '').matchAll(PLACE)) {
      if (PLACES.includes(name)) continue;
      errors[`payee_accounts.${at}.qr_template`] =
        `The QR template may use {amount}, {amount_minor} and {reference}, but not ${place}.`;
    }
  });
  return errors;
}
