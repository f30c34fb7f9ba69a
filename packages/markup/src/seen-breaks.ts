/** Pure: breaks that end a line, written in one way. */

const marks = 'a|strong|em|s|u|mark|sub|sup|code|kbd';
const blocks = 'p|h[2-4]|ul|ol|dl|table|pre|blockquote|figure';
const cells = 'li|t[dh]|d[dt]';

/** Behind words, where the line ends anyway. */
const atLineEnd = new RegExp(
  `([^>\\s]|</(?:${marks})>)((?:\\s*<br ?/?>)*)\\s*<br ?/?>(?=(?:</(?:${marks})>)*\\s*(?:</(?:p|h[2-4]|${cells})>|<(?:hr|${blocks})[ >]))`,
  'g',
);
/** Lines with nothing in them below a block: the editor has a paragraph for them. */
const below = new RegExp(`(</(?:${blocks})>)((?:\\s*<br ?/?>)+)\\s*(?=</(?:li|t[dh]|dd)>)`, 'g');
/** An item has the height of a line without it. */
const alone = /<li>\s*(?:<p>\s*<br ?\/?>\s*<\/p>|<br ?\/?>)\s*<\/li>/g;

/** The same HTML without breaks that nobody sees. */
export function withSeenBreaks(html: string): string {
  if (!html.includes('<br')) return html;
  return html.replace(alone, '<li></li>').replace(atLineEnd, '$1$2').replace(below, '$1<p>$2</p>');
}
