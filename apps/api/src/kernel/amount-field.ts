/** Parses amounts of a request in their currency. */
import { theField } from '@cambist/contract/field-name';
import { parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { invalid } from './refusal.ts';

/** Messages by field, collected so that a form shows all errors at once. */
export type FieldErrors = Record<string, string>;

/** Minor units. @throws Refusal 422 on `field` */
export function readAmount(field: string, text: string, decimals: number): bigint {
  const errors: FieldErrors = {};
  const minor = tryAmount(errors, field, text, decimals);
  if (minor === null) throw invalid(errors);
  return minor;
}

/** Minor units; null, with a message in `errors`, for an invalid amount. */
export function tryAmount(
  errors: FieldErrors,
  field: string,
  text: string,
  decimals: number,
): bigint | null {
  try {
    return parseAmount(text, decimals);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    errors[field] = sentence(field, error, decimals);
    return null;
  }
}

function sentence(field: string, { code }: MoneyError, decimals: number): string {
  if (code === 'amount_too_large')
    return `The ${theField(field)} is larger than any amount the desk takes.`;
  if (code !== 'too_many_decimals') return `The ${theField(field)} must be a decimal amount.`;
  return decimals === 0
    ? `The ${theField(field)} must be a whole amount, without decimals.`
    : `The ${theField(field)} must have at most ${decimals} decimal${decimals === 1 ? '' : 's'}.`;
}

/** @throws {Refusal} 422 if there are errors */
export function refuseIfAny(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
