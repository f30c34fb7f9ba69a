/** Pure: the first digits of long figures, where a reader needs no more of them to see what they mean. */

/** Where space is short a rate shows so many digits, from the first that is not zero on. */
const BRIEF_DIGITS = 8;
/** Two digits more take no more room than the mark that stands for what was cut off. */
const SPARED_DIGITS = 2;

/** The beginning of a rate of many digits, never rounded; null for one that is short enough as it is. */
export function briefDecimal(decimal: string): string | null {
  const [whole = '', fraction = ''] = decimal.split('.');
  const shown = whole.replace(/^-?0*/, '').length;
  const zeros = shown > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0);
  const kept = Math.max(zeros + BRIEF_DIGITS - shown, SPARED_DIGITS);
  return fraction.length > kept + SPARED_DIGITS ? `${whole}.${fraction.slice(0, kept)}` : null;
}

/** For a line of text, with a mark for what was cut off. */
export function briefly(decimal: string): string {
  const cut = briefDecimal(decimal);
  return cut === null ? decimal : `${cut}…`;
}

/** Whether figures that stand side by side look alike only where they are the same. */
export function areApartBriefly(decimals: readonly string[]): boolean {
  return new Set(decimals.map(briefly)).size === new Set(decimals).size;
}
