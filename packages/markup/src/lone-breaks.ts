/** Pure: line breaks of empty cells, which nobody sees beside a cell with words. */

/** One in which no other stands. */
const table = /<table>(?:(?!<\/?table[ >])[\s\S])*<\/table>/g;
const row = /<tr>[\s\S]*?<\/tr>/g;
const cell = /<t[dh](?: [^<>]*)?>[\s\S]*?<\/t[dh]>/g;
/** Their words may be less high than a line of the cell. */
const figure = /<figure>[\s\S]*?<\/figure>/g;
/** One blank at which no line breaks is a line as well. */
const blanks = '[ \\t\\n\\r\\f]*';
const lone = new RegExp(
  `(<t[dh](?: [^<>]*)?>)${blanks}(?:<p>${blanks}<br ?/?>${blanks}</p>|<br ?/?>)${blanks}(?=</t[dh]>)`,
  'g',
);

/** The same HTML without those in rows that are as high by another cell. */
export function withoutLoneBreaks(html: string): string {
  return html.replace(table, (whole) =>
    isEven(whole) ? whole.replace(row, withoutBreaks) : whole,
  );
}

/** Whether each cell has one above it: the rule between them is drawn half in each, and one without it is less high. */
function isEven(html: string): boolean {
  const widths = (html.match(row) ?? []).map((each) => cellsOf(each).length);
  return new Set(widths).size === 1 && !/ (?:col|row)span="/.test(html);
}

function withoutBreaks(html: string): string {
  return cellsOf(html).some(hasLine) ? html.replace(lone, '$1') : html;
}

const cellsOf = (html: string) => html.match(cell) ?? [];

function hasLine(html: string): boolean {
  return (
    html
      .replace(figure, '')
      .replace(/<[^<>]*>/g, '')
      .trim() !== ''
  );
}
