/** Pure: blanks and breaks at the edges of lines, and the paragraphs of items and cells, written in one way. */
import { pieces } from './tags.ts';

const unedged = 'a|strong|em|s|u|mark|sub|sup';
const marks = `${unedged}|code|kbd`;
const blocks = 'p|h[2-4]|ul|ol|dl|table|pre|blockquote|figure';
const cells = 'li|t[dh]|d[dt]';
const blockEdge = `</(?:p|h[2-4]|blockquote|${cells}|caption|figcaption)>|<(?:hr|img|${blocks})[ >]`;
const lineEnd = `${blockEdge}|<br[ >]`;
/** Of those that a browser draws together; one at which no line breaks is a word. */
const blank = '[ \\t\\n\\r\\f]';

/** Behind words, where the line ends anyway; behind a picture, or before the edge of a box, it makes a line. */
const breakAtEnd = new RegExp(
  `([^> \\t\\n\\r\\f]|</(?:${marks})>(?<!<img[^<>]*>(?:</(?:${marks})>){1,30}))((?:${blank}*<br ?/?>)*)${blank}*<br ?/?>(?=(?:</(?:${unedged})>)*${blank}*(?:${blockEdge}))`,
  'g',
);
const blankAtEnd = new RegExp(
  `(?<!${blank})${blank}+((?:</(?:${marks})>)+)(?=${blank}*(?:${lineEnd}))`,
  'g',
);
/** An item has the height of a line without it. */
const alone = new RegExp(['<li>', '<p>', '<br ?/?>', '</p>', '</li>'].join(`${blank}*`), 'g');

/** The same HTML without blanks and breaks that nobody sees. */
export function withSeenEdges(html: string): string {
  return withParagraphs(html)
    .replace(alone, '<li></li>')
    .replace(breakAtEnd, '$1$2')
    .replace(blankAtEnd, '$1');
}

/** A line begins with none; in code they are held. */
export function withoutBlanksBehindBreaks(html: string): string {
  return html.replace(/(<br ?\/?>)[ \t\n\r\f]+/g, '$1');
}

/** In these words stand with a paragraph around them or without one, and are drawn alike. */
const loose = new Set(['li', 'td', 'th', 'dd']);
const inline = new Set(marks.split('|'));
const voids = new Set(['br', 'hr', 'img']);

/** With one around all words of items and cells, as the editor has them. */
function withParagraphs(html: string): string {
  const all = [...html.matchAll(pieces)];
  const holders = holdersIn(all);
  const open: string[] = [];
  let written = '';
  let isIn = false;
  for (const [place, [whole, end, name = '']] of all.entries()) {
    const around = open.at(-1) ?? '';
    // A picture is drawn as a block, but a mark that began in a paragraph has to end there.
    const isInline = inline.has(name) || name === 'br' || (name === 'img' && inline.has(around));
    const isBlock = name !== '' && !isInline;
    const isWord = name === '' ? whole.trim() !== '' : isInline && end === '';
    if (isWord && !isIn && loose.has(around)) {
      written += '<p>';
      isIn = true;
    } else if (isBlock && isIn) {
      written += '</p>';
      isIn = false;
    }
    written += whole;
    if (name === '' || voids.has(name)) continue;
    if (end !== '') open.pop();
    else open.push(holders.has(place) ? '' : name);
  }
  return written;
}

/** The marks that hold a block, by the places of their tags, and the items and cells of these: paragraphs would part what is drawn together. */
function holdersIn(all: readonly RegExpExecArray[]): ReadonlySet<number> {
  const holders = new Set<number>();
  const open: { name: string; place: number }[] = [];
  for (const [place, [, end, name = '']] of all.entries()) {
    if (name === '' || name === 'br' || name === 'img') continue;
    const begun = end === '' ? undefined : open.pop();
    const around = open.at(-1);
    const isHeld = inline.has(name)
      ? begun !== undefined && holders.has(begun.place)
      : end === '' && inline.has(around?.name ?? '');
    if (isHeld && around !== undefined) holders.add(around.place);
    if (end === '' && name !== 'hr') open.push({ name, place });
  }
  return holders;
}
