/** What differs between two texts, word by word. Pure. */
import { diffWords } from 'diff';

export interface Part {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** As much of what is unchanged is shown before and after a change, in characters. */
const contextLength = 120;
/** Texts that share little are shown as replaced: finding the shortest way between them takes seconds. */
const maxEditLength = 1500;
/** The word that a cut goes through; text without spaces is cut where it comes. */
const tornEnd = /\s+\S{1,40}$/;
const tornStart = /^\S{1,40}\s+/;

/** The new text with what was removed in its place; the middle of long unchanged stretches is left out. */
export function textDiff(before: string, after: string): Part[] {
  const changes = diffWords(before, after, { maxEditLength });
  if (changes === undefined) return replaced(before, after);
  return shortened(
    changes.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    })),
  );
}

function replaced(before: string, after: string): Part[] {
  return [
    { kind: 'removed', text: before },
    { kind: 'same', text: '\n' },
    { kind: 'added', text: after },
  ];
}

function shortened(parts: readonly Part[]): Part[] {
  return parts.map(({ kind, text }, index) => {
    if (kind !== 'same') return { kind, text };
    const start = index === 0 ? '' : text.slice(0, contextLength).replace(tornEnd, '');
    const end = index === parts.length - 1 ? '' : text.slice(-contextLength).replace(tornStart, '');
    if (text.length <= start.length + end.length + 40) return { kind, text };
    // On a line of its own, or distant words would read as one sentence.
    const isMiddle = start !== '' && end !== '';
    return {
      kind,
      text: isMiddle ? `${start.trimEnd()}\n…\n${end.trimStart()}` : `${start} … ${end}`,
    };
  });
}

export interface FieldDiff<Field extends string = string> {
  readonly field: Field;
  /** Empty where the words are the same and only their formatting differs. */
  readonly parts: readonly Part[];
}

/** How the value of a field is read by people, where that is not the value itself. */
type Readers<Field extends string> = { readonly [Key in Field]?: (value: string) => string };

/** The fields that differ, in the given order. */
export function fieldDiffs<Field extends string>(
  order: readonly Field[],
  before: Readonly<Record<Field, string>>,
  after: Readonly<Record<Field, string>>,
  readers: Readers<Field> = {},
): FieldDiff<Field>[] {
  return order
    .filter((field) => before[field] !== after[field])
    .map((field) => {
      const read = readers[field] ?? ((value) => value);
      const parts = textDiff(read(before[field]), read(after[field]));
      return { field, parts: parts.some(({ kind }) => kind !== 'same') ? parts : [] };
    });
}
