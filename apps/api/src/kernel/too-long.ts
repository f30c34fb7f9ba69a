import { invalid } from './refusal.ts';

/** Cleaning lengthens a text: what the schema let pass is counted again, as schemas count. @throws {Refusal} 422 */
export function refuseTooLong(text: string, field: string, most: number): void {
  // Code points are no more than units.
  if (text.length <= most || [...text].length <= most) return;
  const name = field.replaceAll('.', ' ');
  throw invalid({ [field]: `The ${name} must not be greater than ${most} characters.` });
}
