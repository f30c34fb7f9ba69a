/** Pure: lines of a spreadsheet file (RFC 4180), which no program takes for formulas. */

/** With CRLF at its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A spreadsheet runs what begins like this; the apostrophe makes it text (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
