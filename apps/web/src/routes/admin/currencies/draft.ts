/**
 * A currency while it is being edited, and the body that is sent of it. Texts
 * stay as typed; what is empty becomes "no limit" or is left out. Pure.
 */
import type { createCurrency, Currency, Field } from '@cambist/contract/currencies';
import type { BodyOf } from '@cambist/contract/endpoint';
import { wholeOf } from '#lib/admin/whole-number.ts';

export type CurrencyBody = BodyOf<typeof createCurrency>;

/** Rows need an identity of their own to be moved about. */
let rows = 0;
const newRow = () => ++rows;

export interface FieldDraft {
  row: number;
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
  row: number;
  label: string;
  value: string;
}

export interface PayeeDraft {
  row: number;
  id: string | null;
  label: string;
  details: LineDraft[];
  instructions: string;
  qr_template: string;
  active: boolean;
}

export interface CurrencyDraft {
  slug: string;
  unit: string;
  decimals: string;
  name: string;
  symbol: string;
  channel: string;
  kind: Currency['kind'];
  export_code: string;
  min_send: string;
  max_send: string;
  min_receive: string;
  max_receive: string;
  payout_time: string;
  position: string;
  active: boolean;
  sender_fields: FieldDraft[];
  payout_fields: FieldDraft[];
  payee_accounts: PayeeDraft[];
}

export function draftOf(currency: Currency): CurrencyDraft {
  return {
    slug: currency.slug,
    unit: currency.unit,
    decimals: String(currency.decimals),
    name: currency.name,
    symbol: currency.symbol,
    channel: currency.channel,
    kind: currency.kind,
    export_code: currency.export_code,
    min_send: currency.min_send ?? '',
    max_send: currency.max_send ?? '',
    min_receive: currency.min_receive ?? '',
    max_receive: currency.max_receive ?? '',
    payout_time: currency.payout_time,
    position: String(currency.position),
    active: currency.active,
    sender_fields: currency.sender_fields.map(fieldDraft),
    payout_fields: currency.payout_fields.map(fieldDraft),
    payee_accounts: currency.payee_accounts.map(({ details, qr_template, ...account }) => ({
      ...account,
      row: newRow(),
      details: details.map((line) => ({ ...line, row: newRow() })),
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
    row: newRow(),
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
  return { row: newRow(), label: '', value: '' };
}

export function emptyPayee(): PayeeDraft {
  return {
    row: newRow(),
    id: null,
    label: '',
    details: [emptyLine()],
    instructions: '',
    qr_template: '',
    active: true,
  };
}

function fieldDraft({ pattern = '', hint = '', ...field }: Field): FieldDraft {
  return { ...field, pattern, hint, row: newRow(), keyFollows: false };
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

/** What was kept of an earlier visit, its rows numbered as none of now is. */
export function revived(kept: CurrencyDraft): CurrencyDraft {
  const text = JSON.stringify(kept);
  return JSON.parse(text, (key, value: unknown) =>
    key === 'row' ? newRow() : value,
  ) as CurrencyDraft;
}
