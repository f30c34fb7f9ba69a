/** Pure: rates shortened to their first digits, for display. */

/** The displayed digits, from the first non-zero one. */
const BRIEF_DIGITS = 8;
/** Two more digits are as short as the ellipsis. */
const SPARED_DIGITS = 2;

/** The first digits of a long rate, not rounded; null for a short one. */
export function briefDecimal(decimal: string): string | null {
  const [whole = '', fraction = ''] = decimal.split('.');
  const shown = whole.replace(/^-?0*/, '').length;
  const zeros = shown > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0);
  const decimals = Math.max(zeros + BRIEF_DIGITS - shown, SPARED_DIGITS);
  return fraction.length > decimals + SPARED_DIGITS
    ? `${whole}.${fraction.slice(0, decimals)}`
    : null;
}

/** With an ellipsis for the omitted digits. */
export function briefly(decimal: string): string {
  const cut = briefDecimal(decimal);
  return cut === null ? decimal : `${cut}…`;
}

/** Whether different figures remain different when shortened. */
export function areApartBriefly(decimals: readonly string[]): boolean {
  return new Set(decimals.map(briefly)).size === new Set(decimals).size;
}
