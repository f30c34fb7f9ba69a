/** Pure: blanks and breaks at the edges of lines, and the paragraphs of items and cells, written in one way. */
import { pieces } from './tags.ts';

const marks = 'a|strong|em|s|u|mark|sub|sup|code|kbd';
const blocks = 'p|h[2-4]|ul|ol|dl|table|pre|blockquote|figure';
const cells = 'li|t[dh]|d[dt]';
const blockEdge = `</(?:p|h[2-4]|${cells}|caption|figcaption)>|<(?:hr|${blocks})[ >]`;
const lineEnd = `${blockEdge}|<br[ >]`;

/** Behind words, where the line ends anyway. */
const breakAtEnd = new RegExp(
  `([^>\\s]|</(?:${marks})>)((?:\\s*<br ?/?>)*)\\s*<br ?/?>(?=(?:</(?:${marks})>)*\\s*(?:${blockEdge}))`,
  'g',
);
const blankAtEnd = new RegExp(
  `(?<![ \\t\\n\\r\\f])[ \\t\\n\\r\\f]+((?:</(?:${marks})>)+)(?=\\s*(?:${lineEnd}))`,
  'g',
);
const blankAtStart = new RegExp(
  `(<(?:p|h[2-4]|${cells}|br)(?: [^<>]*)?>)((?:<(?:${marks})(?: [^<>]*)?>)+)[ \\t\\n\\r\\f]+`,
  'g',
);
/** An item has the height of a line without it. */
const alone = /<li><p>\s*<br ?\/?>\s*<\/p><\/li>/g;

/** The same HTML without blanks and breaks that nobody sees. */
export function withSeenEdges(html: string): string {
  return withParagraphs(html)
    .replace(alone, '<li></li>')
    .replace(breakAtEnd, '$1$2')
    .replace(blankAtEnd, '$1')
    .replace(blankAtStart, '$1$2');
}

/** In these words stand with a paragraph around them or without one, and are drawn alike. */
const loose = new Set(['li', 'td', 'th', 'dd']);
const inline = new Set([...marks.split('|'), 'br']);

/** With one around all words of items and cells, as the editor has them. */
function withParagraphs(html: string): string {
  const open: string[] = [];
  let written = '';
  let isIn = false;
  for (const [whole, end, name = ''] of html.matchAll(pieces)) {
    const isWord = name === '' ? whole.trim() !== '' : inline.has(name) && end === '';
    if (isWord && !isIn && loose.has(open.at(-1) ?? '')) {
      written += '<p>';
      isIn = true;
    }
    if (name !== '' && !inline.has(name)) {
      if (isIn) written += '</p>';
      isIn = false;
      if (end !== '') open.pop();
      else if (name !== 'img' && name !== 'hr') open.push(name);
    }
    written += whole;
  }
  return written;
}
