/** Pure: the QR code of a payee account for an amount. */
import type { FieldErrors } from '#kernel/amount-field.ts';
import type { PayeeJson } from '#platform/db/json-columns.ts';

const PLACE = /\{(\w*)\}/g;
const PLACES = ['amount', 'amount_minor', 'reference'];

/** `amountText` in major units, as a decimal string. */
export function qrOf(
  { qr_template }: Pick<PayeeJson, 'qr_template'>,
  amountText: string,
  reference: string,
): string | null {
  const values: Readonly<Record<string, string>> = {
    amount: amountText,
    // Links of chains have the amount in the smallest unit, such as wei.
    amount_minor: amountText.replace('.', '').replace(/^0+(?=\d)/, ''),
    reference,
  };
  return qr_template?.replace(PLACE, (place, name: string) => values[name] ?? place) ?? null;
}

/** Sentences by field, for unknown places of a template. */
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
