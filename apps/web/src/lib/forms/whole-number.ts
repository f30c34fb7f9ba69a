/** Whole numbers of a form that are counts, not amounts. Pure. */
import { toAsciiDigits } from '#lib/format/figure.ts';

/** What is no whole number becomes −1, which the service names as wrong. */
export function wholeOf(text: string): number {
  const digits = toAsciiDigits(text.trim());
  return /^\d{1,6}$/.test(digits) ? Number.parseInt(digits, 10) : -1;
}
