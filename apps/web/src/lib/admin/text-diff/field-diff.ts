/** What differs between two writings of the same fields. Pure. */
import type { SettingKind } from '@cambist/markup/readable';
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
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) return [];
    const { parts, kinds } = textDiff(before[field], after[field]);
    const hasMarks = parts.some(({ kind }) => kind !== 'same');
    return [{ field, parts: hasMarks ? parts : [], kinds }];
  });
}
