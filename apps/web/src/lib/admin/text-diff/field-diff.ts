/** What differs between two writings of the same fields. Pure. */
import { kindsOfElements, type SettingKind, type Stretch } from '@cambist/markup/readable';
import { textDiff, type Part, type Text } from './word-diff.ts';

export interface FieldDiff<Field extends string = string> {
  readonly field: Field;
  /** None where the words are the same, and no word by itself is set anew. */
  readonly parts: readonly Part[];
  /** In what words that stayed are set anew. */
  readonly kinds: readonly SettingKind[];
}

/** The fields that differ, in the order given; each as the text that people compare. */
export function fieldDiffs<Field extends string>(
  order: readonly Field[],
  before: Readonly<Record<Field, Text>>,
  after: Readonly<Record<Field, Text>>,
): FieldDiff<Field>[] {
  return order.flatMap((field) => {
    const difference = textDifference(before[field], after[field]);
    return difference === null ? [] : [{ field, ...difference }];
  });
}

/** Null where people would be shown nothing. */
export function textDifference(before: Text, after: Text): Omit<FieldDiff, 'field'> | null {
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const { parts, kinds } = textDiff(before, after);
  const [was, is] = [stretchesIn(before), stretchesIn(after)];
  const hasMarks = parts.some(({ kind }) => kind !== 'same');
  if (!hasMarks && kinds.length === 0) return { parts: [], kinds: kindsOfElements(was, is) };
  return { parts: hasMarks ? parts : [], kinds };
}

/** A plain text has no elements. */
function stretchesIn(text: Text): readonly Stretch[] {
  return typeof text === 'string' ? [] : text;
}
