/**
 * A value while it is being edited, and what is sent of it. Texts stay as they
 * are typed; the rows of lists carry a number of their own, by which they keep
 * their place on the page when they are moved. Pure.
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

/** The draft of a value; what is missing or of another kind becomes empty. */
export function draftOf(shape: Shape, value: unknown): Draft {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'whole':
      return typeof value === 'number' ? String(value) : '';
    case 'switch':
      return value === true;
    case 'choice':
      return shape.choices.find((choice) => choice === String(value)) ?? shape.choices[0] ?? '';
    case 'ticks': {
      const given: readonly unknown[] = Array.isArray(value) ? value : [];
      return Object.fromEntries(shape.choices.map((choice) => [choice, given.includes(choice)]));
    }
    case 'order': {
      const given: readonly unknown[] = Array.isArray(value) ? value : [];
      const known = given.filter((each) => shape.choices.some((choice) => choice === each));
      return [...new Set([...known.map(String), ...shape.choices])].map(rowOf);
    }
    case 'group':
      return groupDraft(shape, value);
    case 'list':
      return (Array.isArray(value) ? value : []).map((each) => newRow(shape, each));
  }
}

export function groupDraft({ fields }: Group, value: unknown): GroupDraft {
  const given = asRecord(value);
  return Object.fromEntries(fields.map(({ key, shape }) => [key, draftOf(shape, given[key])]));
}

/** A row of this list; without a value an empty one. */
export function newRow({ item }: List, value?: unknown): Row {
  return rowOf(draftOf(item, value));
}

function rowOf(value: Draft): Row {
  rows += 1;
  return { row: rows, value };
}

/** One more row of a list whose rows begin with a choice: the first one that none of them has yet. */
export function nextRow(list: List, others: readonly Row[]): Row {
  const row = newRow(list);
  const [first] = list.item.kind === 'group' ? list.item.fields : [];
  if (first?.shape.kind !== 'choice') return row;
  const taken = others.map(({ value }) => asGroup(value)[first.key]);
  const free = first.shape.choices.find((choice) => !taken.includes(choice));
  if (free !== undefined) asGroup(row.value)[first.key] = free;
  return row;
}

/**
 * The draft that was kept of an earlier visit, over one that is whole: its rows get
 * numbers of now, and what is missing or of another kind, since the schema has
 * changed, stays as it is saved.
 */
export function revived(shape: Shape, whole: Draft, kept: unknown): Draft {
  switch (shape.kind) {
    case 'text':
    case 'whole':
      return typeof kept === 'string' ? kept : whole;
    case 'switch':
      return typeof kept === 'boolean' ? kept : whole;
    case 'choice':
      return shape.choices.find((choice) => choice === kept) ?? whole;
    case 'group':
      return revivedGroup(shape, asGroup(whole), kept);
    case 'ticks':
      return revivedTicks(shape.choices, asGroup(whole), kept);
    case 'list':
      return Array.isArray(kept) ? revivedRows(shape, asRows(whole), kept) : whole;
    case 'order':
      return Array.isArray(kept) ? draftOf(shape, valuesOf(kept)) : whole;
  }
}

export function revivedGroup({ fields }: Group, whole: GroupDraft, kept: unknown): GroupDraft {
  const given = asRecord(kept);
  return Object.fromEntries(
    fields.map(({ key, shape }) => [
      key,
      revived(shape, whole[key] ?? draftOf(shape, undefined), given[key]),
    ]),
  );
}

function revivedTicks(choices: readonly string[], whole: GroupDraft, kept: unknown): GroupDraft {
  const given = asRecord(kept);
  return Object.fromEntries(
    choices.map((choice) => {
      const tick = given[choice];
      return [choice, typeof tick === 'boolean' ? tick : whole[choice] === true];
    }),
  );
}

/** A row that is called like a saved one is that one, wherever it was moved. */
function revivedRows(list: List, saved: readonly Row[], kept: readonly unknown[]): Row[] {
  return valuesOf(kept).map((value) => {
    const empty = draftOf(list.item, undefined);
    const row = rowOf(revived(list.item, empty, value));
    const name = firstWords(list, row);
    const was = saved.find((each) => firstWords(list, each) === name);
    return was ? { ...row, value: revived(list.item, was.value, value) } : row;
  });
}

function valuesOf(rows: readonly unknown[]): unknown[] {
  return rows.map((row) => asRecord(row)['value']);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** What the service gets. A number that is none goes as it was typed, for the service to name. */
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
    case 'ticks':
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
  if (typeof draft === 'object' && !Array.isArray(draft)) return draft;
  throw new Error('This draft is no group.');
}

export function asRows(draft: Draft | undefined): Row[] {
  if (Array.isArray(draft)) return draft;
  throw new Error('This draft is no list.');
}

/** What a row is called by: the first text in it, if it has any yet; without texts its first choice. */
export function firstWords({ item }: List, { value }: Row): string {
  if (typeof value === 'string') return value.trim();
  if (item.kind !== 'group') return '';
  const of = (kind: Shape['kind']) =>
    item.fields
      .filter(({ shape }) => shape.kind === kind)
      .map(({ key }) => String(asGroup(value)[key] ?? '').trim());
  const hasTexts = item.fields.some(({ shape }) => shape.kind === 'text');
  return of(hasTexts ? 'text' : 'choice').find((text) => text !== '') ?? '';
}
