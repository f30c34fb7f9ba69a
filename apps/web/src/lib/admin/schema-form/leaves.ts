/**
 * The fields of a form made from a schema, as two drafts of it are compared:
 * groups are looked into, lists are chosen as they are, since half of one order
 * and half of another make none. Pure.
 */
import type { Leaf } from '../comparison.ts';
import {
  asGroup,
  asRows,
  bodyOf,
  firstWords,
  type Draft,
  type GroupDraft,
  type Row,
} from './draft.ts';
import type { Group, List, Shape } from './shape.ts';
import { labelOf, placeOf, wordsAt, type Words } from './words.ts';

/** What the fields, and what stands in them, are called by. */
export interface LeafWords {
  readonly words: Words;
  readonly on: string;
  readonly off: string;
  /** Of a currency or a page; undefined where there is none. */
  readonly nameOf: (value: string) => string | undefined;
}

export function groupLeaves(group: Group, wording: LeafWords): Leaf<GroupDraft>[] {
  return leavesAt(group, [], wording);
}

function leavesAt(group: Group, above: readonly string[], wording: LeafWords): Leaf<GroupDraft>[] {
  return group.fields.flatMap(({ key, shape }) => {
    const steps = [...above, key];
    if (shape.kind === 'group') return leavesAt(shape, steps, wording);
    const path = steps.join('.');
    return {
      path,
      label: placeOf(wording.words, path),
      sent: (draft) => bodyOf(shape, partAt(draft, steps)),
      text: (draft) => textOf(shape, path, partAt(draft, steps), wording),
      taken: (draft, from) => withPart(draft, steps, partAt(from, steps)),
    };
  });
}

function partAt(draft: Draft | undefined, [step, ...rest]: readonly string[]): Draft | undefined {
  return step === undefined ? draft : partAt(asGroup(draft)[step], rest);
}

function withPart(
  group: GroupDraft,
  [step = '', ...rest]: readonly string[],
  part: Draft | undefined,
): GroupDraft {
  if (part === undefined) return group;
  const inner = rest.length === 0 ? part : withPart(asGroup(group[step]), rest, part);
  return { ...group, [step]: inner };
}

/** One row of a list: what it is called by, empty where nothing names it, and its fields, each on a line. `path` is the row's own. */
export interface Item {
  readonly name: string;
  readonly text: string;
}

export function itemOf(list: List, path: string, row: Row, wording: LeafWords): Item {
  return { name: firstWords(list, row), text: textOf(list.item, path, row.value, wording) };
}

/** A value in lines: each row of a list with the fields in it, one under the other. */
function textOf(shape: Shape, path: string, draft: Draft | undefined, wording: LeafWords): string {
  const named = (choice: string) => wordsAt(wording.words, path)?.choices?.[choice]?.() ?? choice;
  const linesOf = (item: Shape, at: string, value: Draft) => textOf(item, at, value, wording);
  switch (shape.kind) {
    case 'switch':
      return draft === true ? wording.on : wording.off;
    case 'choice':
      return named(String(draft ?? ''));
    case 'ticks':
      return shape.choices
        .filter((choice) => asGroup(draft)[choice] === true)
        .map(named)
        .join('\n');
    case 'order':
      return asRows(draft)
        .map(({ value }) => named(String(value)))
        .join('\n');
    case 'list':
      return asRows(draft)
        .map(({ value }, index) => rowText(index, linesOf(shape.item, `${path}.${index}`, value)))
        .join('\n');
    case 'group':
      return shape.fields
        .map(({ key, shape: inner }) => {
          const at = `${path}.${key}`;
          return [
            labelOf(wording.words, at),
            linesOf(inner, at, asGroup(draft)[key] ?? ''),
          ] as const;
        })
        .filter(([, text]) => text !== '')
        .map(([label, text]) => `${label}: ${text}`)
        .join('\n');
    default: {
      const text = String(draft ?? '');
      const as = wordsAt(wording.words, path)?.as;
      const isName = as === 'currency' || as === 'page';
      return (isName && wording.nameOf(text)) || text;
    }
  }
}

function rowText(index: number, text: string): string {
  return `${index + 1}. ${text.replaceAll('\n', '\n   ')}`;
}
