/**
 * The values of a settings form. Texts and numbers stay as typed; the rows of a list have a number
 * of their own, by which they keep their place on the page when they are moved. Pure.
 */
import { toAsciiDigits } from '#lib/format/figure.ts';
import type { Group, List, Shape } from './shape.ts';

export type Draft = string | boolean | GroupDraft | Row[];
export interface GroupDraft {
  [key: string]: Draft;
}
export interface Row {
  row: number;
  value: Draft;
}

let rows = 0;

/** The draft of a value; what is missing or of another type becomes empty. */
export function draftOf(shape: Shape, value: unknown): Draft {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'whole':
      return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    case 'switch':
      return value === true;
    case 'choice':
      return shape.choices.find((choice) => choice === String(value)) ?? shape.choices[0] ?? '';
    case 'checks':
      return Object.fromEntries(shape.choices.map((choice) => [choice, given.includes(choice)]));
    case 'order': {
      const known = given.map(String).filter((each) => shape.choices.includes(each));
      return [...new Set([...known, ...shape.choices])].map(rowOf);
    }
    case 'group':
      return groupDraft(shape, value);
    case 'list':
      return given.map((each) => newRow(shape, each));
  }
}

export function groupDraft({ fields }: Group, value: unknown): GroupDraft {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(({ key, shape }) => [key, draftOf(shape, given[key])]));
}

/** The draft of an earlier visit, with rows of this one; null where the schema has changed since. */
export function restoredDraft(shape: Group, copy: unknown): GroupDraft | null {
  try {
    return groupDraft(shape, groupBody(shape, asGroup(copy as Draft)));
  } catch {
    return null;
  }
}

/** A row of this list; without a value an empty one. */
export function newRow({ item }: List, value?: unknown): Row {
  return rowOf(draftOf(item, value));
}

function rowOf(value: Draft): Row {
  rows += 1;
  return { row: rows, value };
}

/** A new row. In a list whose rows begin with a choice, it has the first one that no other row has. */
export function nextRow(list: List, others: readonly Row[]): Row {
  const row = newRow(list);
  const [first] = list.item.kind === 'group' ? list.item.fields : [];
  if (first?.shape.kind !== 'choice') return row;
  const taken = others.map(({ value }) => asGroup(value)[first.key]);
  const free = first.shape.choices.find((choice) => !taken.includes(choice));
  if (free !== undefined) asGroup(row.value)[first.key] = free;
  return row;
}

/** The request body of a draft. A number that cannot be read is sent as typed, for the API to refuse. */
export function bodyOf(shape: Shape, draft: Draft | undefined): unknown {
  switch (shape.kind) {
    case 'text': {
      const text = String(draft ?? '').trim();
      return shape.nullable && text === '' ? null : text;
    }
    case 'whole': {
      const text = String(draft ?? '').trim();
      if (shape.nullable && text === '') return null;
      const digits = toAsciiDigits(text);
      return /^-?\d{1,15}$/.test(digits) ? Number.parseInt(digits, 10) : text;
    }
    case 'switch':
      return draft === true;
    case 'choice':
      return shape.whole ? Number(draft) : draft;
    case 'checks':
      return shape.choices.filter((choice) => asGroup(draft)[choice] === true);
    case 'order':
      return asRows(draft).map(({ value }) => value);
    case 'group':
      return groupBody(shape, asGroup(draft));
    case 'list':
      return asRows(draft).map(({ value }) => bodyOf(shape.item, value));
  }
}

export function groupBody({ fields }: Group, draft: GroupDraft): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ key, shape }) => [key, bodyOf(shape, draft[key])]));
}

export function asGroup(draft: Draft | undefined): GroupDraft {
  if (typeof draft === 'object' && draft !== null && !Array.isArray(draft)) return draft;
  throw new Error('This draft is no group.');
}

export function asRows(draft: Draft | undefined): Row[] {
  if (Array.isArray(draft)) return draft;
  throw new Error('This draft is no list.');
}

/** The first non-empty text of a row, or its first choice: the name of the row. */
export function rowText({ item }: List, { value }: Row): string {
  if (typeof value === 'string') return value.trim();
  if (item.kind !== 'group') return '';
  const kind = item.fields.some(({ shape }) => shape.kind === 'text') ? 'text' : 'choice';
  return (
    item.fields
      .filter(({ shape }) => shape.kind === kind)
      .map(({ key }) => String(asGroup(value)[key] ?? '').trim())
      .find((text) => text !== '') ?? ''
  );
}
