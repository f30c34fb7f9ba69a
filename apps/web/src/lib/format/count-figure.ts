/** How many, grouped as the reader's language has it. */
import { formatFigure } from '#lib/format/figure.ts';
import { getLocale } from '#lib/paraglide/runtime.js';

export function countFigure(count: number): string {
  return formatFigure(String(count), getLocale());
}
