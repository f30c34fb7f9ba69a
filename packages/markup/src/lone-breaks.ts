/** Pure: line breaks of empty cells, which nobody sees beside a cell with words. */

/** One in which no table stands. */
const row = /<tr>(?:(?!<\/?(?:tr|table)[ >])[\s\S])*<\/tr>/g;
const cell = /<t[dh](?: [^<>]*)?>[\s\S]*?<\/t[dh]>/g;
/** Their words may be less high than a line of the cell. */
const figure = /<figure>[\s\S]*?<\/figure>/g;
const lone = /(<t[dh](?: [^<>]*)?>)\s*(?:<p>\s*<br ?\/?>\s*<\/p>|<br ?\/?>)\s*(?=<\/t[dh]>)/g;

/** The same HTML without those in rows that are as high by another cell. */
export function withoutLoneBreaks(html: string): string {
  return html.replace(row, (whole) => {
    if (whole.includes(' rowspan="')) return whole;
    return (whole.match(cell) ?? []).some(hasLine) ? whole.replace(lone, '$1') : whole;
  });
}

function hasLine(html: string): boolean {
  return (
    html
      .replace(figure, '')
      .replace(/<[^<>]*>/g, '')
      .trim() !== ''
  );
}
