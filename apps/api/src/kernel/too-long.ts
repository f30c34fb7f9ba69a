import { fieldName } from '@cambist/contract/field-name';
import { invalid } from './refusal.ts';

/** Checks the length again after cleaning, which can lengthen a text. @throws {Refusal} 422 */
export function refuseTooLong(text: string, field: string, most: number): void {
  // There are never more code points than code units.
  if (text.length <= most || [...text].length <= most) return;
  throw invalid({
    [field]: `The ${fieldName(field)} must not be greater than ${most} characters.`,
  });
}
