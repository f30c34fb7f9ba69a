/** What differs between two writings of the same fields. Pure. */
import { wordDiff, type Part } from './word-diff.ts';

export interface FieldDiff<Field extends string = string> {
  readonly field: Field;
  /** None where the words are the same, and how they are set differs. */
  readonly parts: readonly Part[];
}

/** The fields that differ, in the order given; each as the text that people compare. Those `setAnew` may have the same words. */
export function fieldDiffs<Field extends string>(
  order: readonly Field[],
  before: Readonly<Record<Field, string>>,
  after: Readonly<Record<Field, string>>,
  setAnew: readonly Field[],
): FieldDiff<Field>[] {
  return order.flatMap((field) => {
    const isSame = before[field] === after[field];
    if (isSame && !setAnew.includes(field)) return [];
    return [{ field, parts: isSame ? [] : wordDiff(before[field], after[field]) }];
  });
}
