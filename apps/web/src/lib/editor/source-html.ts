/** The HTML of a text as people read it: what the editor writes is one line. Pure. */

const blocks =
  'p|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|caption|blockquote|pre|figure|figcaption';
const holders = 'ul|ol|dl|table|thead|tbody|tfoot|tr|blockquote|figure';
const ends = new RegExp(
  `(</(?:${blocks})>|<(?:${holders})(?:\\s[^>]*)?>|<hr\\b[^>]*>)(?=[^\\s])`,
  'gi',
);
const beside = new RegExp(`(<img\\b[^>]*>)(?=<(?:${blocks}|img|hr)\\b)`, 'gi');

/** A line for each block, item and row, whose meaning stays; cells of a row stay together. */
export function withLines(html: string): string {
  return html.replace(ends, '$1\n').replace(beside, '$1\n');
}
