/** What differs between two writings of the same fields. Pure. */
import { wordDiff, type Part } from './word-diff.ts';

export interface FieldDiff<Field extends string = string> {
  readonly field: Field;
  readonly parts: readonly Part[];
}

/** The fields that differ, in the order given; each as the text that people compare. */
export function fieldDiffs<Field extends string>(
  order: readonly Field[],
  before: Readonly<Record<Field, string>>,
  after: Readonly<Record<Field, string>>,
): FieldDiff<Field>[] {
  return order.flatMap((field) => {
    if (before[field] === after[field]) return [];
    return [{ field, parts: wordDiff(before[field], after[field]) }];
  });
}
