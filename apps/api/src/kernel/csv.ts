/** Lines of a CSV file (RFC 4180), safe against formula injection. Pure. */

/** Ends with CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** Spreadsheets run cells that begin like this; an apostrophe makes them text (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
