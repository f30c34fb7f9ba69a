/**
 * A currency while it is being edited, and the body that is sent of it. Texts
 * stay as typed; what is empty becomes "no limit" or is left out. Pure.
 */
import type { createCurrency, Currency, Field } from '@cambist/contract/currencies';
import type { BodyOf } from '@cambist/contract/endpoint';
import { wholeOf } from '#lib/forms/whole-number.ts';

export type CurrencyBody = BodyOf<typeof createCurrency>;

export interface FieldDraft {
  key: string;
  label: string;
  check: Field['check'];
  pattern: string;
  hint: string;
  required: boolean;
  /** The key follows the label until the field is saved: answers are kept by it. */
  keyFollows: boolean;
}

export interface LineDraft {
  label: string;
  value: string;
}

export interface PayeeDraft {
  id: string | null;
  label: string;
  details: LineDraft[];
  instructions: string;
  qr_template: string;
  active: boolean;
}

type Figure = 'decimals' | 'position' | 'min_send' | 'max_send' | 'min_receive' | 'max_receive';
type Text = 'slug' | 'unit' | 'name' | 'symbol' | 'channel' | 'export_code' | 'payout_time';

export interface CurrencyDraft
  extends Record<Figure | Text, string>, Pick<Currency, 'kind' | 'active'> {
  sender_fields: FieldDraft[];
  payout_fields: FieldDraft[];
  payee_accounts: PayeeDraft[];
}

export function draftOf(currency: Currency): CurrencyDraft {
  const { id: _id, version: _version, updated_at: _at, ...values } = currency;
  return {
    ...values,
    decimals: String(values.decimals),
    min_send: values.min_send ?? '',
    max_send: values.max_send ?? '',
    min_receive: values.min_receive ?? '',
    max_receive: values.max_receive ?? '',
    position: String(values.position),
    sender_fields: values.sender_fields.map(fieldDraft),
    payout_fields: values.payout_fields.map(fieldDraft),
    payee_accounts: values.payee_accounts.map(({ details, qr_template, ...account }) => ({
      ...account,
      details: details.map((line) => ({ ...line })),
      qr_template: qr_template ?? '',
    })),
  };
}

export function emptyDraft(): CurrencyDraft {
  return {
    slug: '',
    unit: '',
    decimals: '2',
    name: '',
    symbol: '',
    channel: '',
    kind: 'bank',
    export_code: '',
    min_send: '',
    max_send: '',
    min_receive: '',
    max_receive: '',
    payout_time: '',
    position: '0',
    active: false,
    sender_fields: [],
    payout_fields: [emptyField()],
    payee_accounts: [emptyPayee()],
  };
}

export function emptyField(): FieldDraft {
  return {
    key: '',
    label: '',
    check: 'text',
    pattern: '',
    hint: '',
    required: true,
    keyFollows: true,
  };
}

export function emptyLine(): LineDraft {
  return { label: '', value: '' };
}

export function emptyPayee(): PayeeDraft {
  return {
    id: null,
    label: '',
    details: [emptyLine()],
    instructions: '',
    qr_template: '',
    active: true,
  };
}

function fieldDraft({ pattern = '', hint = '', ...field }: Field): FieldDraft {
  return { ...field, pattern, hint, keyFollows: false };
}

/** `receiver_name` for "Receiver’s name": what the service takes as a key. */
export function keyFromLabel(label: string): string {
  return label
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40);
}

/** Whether a field of this check may have a pattern. */
export function takesPattern(check: Field['check']): boolean {
  return check === 'pattern' || check === 'address';
}

export function bodyOf(draft: CurrencyDraft): CurrencyBody {
  const { min_send, max_send, min_receive, max_receive } = draft;
  return {
    slug: draft.slug.trim(),
    unit: draft.unit.trim().toUpperCase(),
    decimals: wholeOf(draft.decimals),
    name: draft.name.trim(),
    symbol: draft.symbol.trim(),
    channel: draft.channel.trim(),
    kind: draft.kind,
    export_code: draft.export_code.trim().toUpperCase(),
    min_send: min_send || null,
    max_send: max_send || null,
    min_receive: min_receive || null,
    max_receive: max_receive || null,
    payout_time: draft.payout_time.trim(),
    position: wholeOf(draft.position),
    active: draft.active,
    sender_fields: draft.sender_fields.map(fieldBody),
    payout_fields: draft.payout_fields.map(fieldBody),
    payee_accounts: draft.payee_accounts.map(payeeBody),
  };
}

/** What a saved currency may still change: its unit, decimals and slug are fixed. */
export function changesOf(draft: CurrencyDraft): Omit<CurrencyBody, 'slug' | 'unit' | 'decimals'> {
  const { slug: _slug, unit: _unit, decimals: _decimals, ...changes } = bodyOf(draft);
  return changes;
}

function fieldBody({ key, label, check, pattern, hint, required }: FieldDraft): Field {
  return {
    key: key.trim(),
    label: label.trim(),
    check,
    required,
    ...(takesPattern(check) && pattern !== '' ? { pattern } : {}),
    ...(hint.trim() === '' ? {} : { hint: hint.trim() }),
  };
}

function payeeBody({ id, label, details, instructions, qr_template, active }: PayeeDraft) {
  return {
    ...(id === null ? {} : { id }),
    label: label.trim(),
    details: details.map((line) => ({ label: line.label.trim(), value: line.value.trim() })),
    instructions: instructions.trim(),
    qr_template: qr_template.trim() || null,
    active,
  };
}

/** Moves one item a step up (−1) or down (1), in place; the ends stay where they are. */
export function move<T>(items: T[], index: number, step: 1 | -1): void {
  const [item, other] = [items[index], items[index + step]];
  if (item === undefined || other === undefined) return;
  items[index] = other;
  items[index + step] = item;
}
