import { fieldName } from '@cambist/contract/field-name';
import { invalid } from './refusal.ts';

/** Cleaning lengthens a text: what the schema let pass is counted again, as schemas count. @throws {Refusal} 422 */
export function refuseTooLong(text: string, field: string, most: number): void {
  // Code points are no more than units.
  if (text.length <= most || [...text].length <= most) return;
  throw invalid({
    [field]: `The ${fieldName(field)} must not be greater than ${most} characters.`,
  });
}
