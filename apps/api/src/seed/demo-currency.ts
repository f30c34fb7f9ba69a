/** What the demo desk's currencies are written with. */
import type { Field } from '@cambist/contract/currencies';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createCurrency } from '@cambist/contract/currencies';

export type Draft = BodyOf<typeof createCurrency>;

export interface DemoCurrency {
  readonly draft: Draft;
  /** What the desk opens with, in major units. */
  readonly reserve: string;
}

export const COMPANY = 'Cambist Exchange Ltd';
export const WITH_REFERENCE =
  'Write the reference exactly as shown; it is how we find your payment.';
export const DEMONSTRATION = 'This is a demonstration desk: send nothing to this address.';

export const field = (
  key: string,
  label: string,
  check: Field['check'],
  more: { pattern?: string; hint?: string; required?: boolean } = {},
): Field => ({ key, label, check, required: true, ...more });

export const holder = field('holder', 'Account holder', 'name');
export const sender = field('sender_name', 'Name on the sending account', 'name');
export const iban = field('iban', 'IBAN', 'iban');

export function account(
  label: string,
  details: Record<string, string>,
  instructions: string,
  qr_template: string | null = null,
): Draft['payee_accounts'][number] {
  const lines = Object.entries(details).map(([name, value]) => ({ label: name, value }));
  return { label, details: lines, instructions, qr_template, active: true };
}

export const base = {
  min_send: null,
  max_send: null,
  min_receive: null,
  max_receive: null,
  sender_fields: [],
  active: true,
  position: 0,
} satisfies Partial<Draft>;
