/** HTML read once, from its beginning to its end, as stretches of words with the way they are set. Pure. */
import { Containers, type Place } from './containers.ts';
import { unescaped } from './entities.ts';
import { codeSpace, heldCode, unheld, withoutLastEnds } from './held-code.ts';
import { withoutLoneBreaks } from './lone-breaks.ts';
import { inOneOrder } from './marks.ts';
import { withQuotedParagraphs } from './quotations.ts';
import { elementsOf } from './seen-elements.ts';
import { withoutBlanksBehindBreaks, withSeenEdges } from './seen-edges.ts';
import { pieces } from './tags.ts';

/** Words as a person reads them, or what stands between them. */
export interface Stretch {
  /** '' only before the first word and after the last one. */
  readonly text: string;
  /** What no sign in the text tells of how it is set, a name on a line; `sign` of one that nobody typed. After the last word also the elements of all. */
  readonly set: string;
  /** The innermost item, row or quoted paragraph that it stands in. */
  readonly place?: Place;
}

interface Open {
  readonly name: string;
  readonly attributes: string;
  /** How many words there were before it. */
  readonly words: number;
  cells: number;
}

/** Those around words of which the text has a sign, written before and after them. */
const signs: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '_',
  i: '_',
  s: '~~',
  code: '`',
};
const ownLines = new Set(
  'p h2 h3 h4 blockquote pre figure figcaption dl dt dd table caption thead tbody tfoot tr'.split(
    ' ',
  ),
);
const voids = new Set(['br', 'hr', 'img']);
/** Of these the text has no sign, or one at their beginning only. */
const untold = new Set('a u sub sup mark kbd blockquote figcaption caption dt dd tfoot'.split(' '));
const blocks = new Set([...ownLines, 'li', 'td', 'th']);

/** What a browser draws together: every other blank stands as it is. */
const collapsed = /[ \t\n\r\f]+/g;

const blankAtEnd = /[ \t\n\r\f]$/;

/** Blanks that are drawn otherwise than others, in code too. */
const unusual = /[^\S \t\n\r\f]|\uFDD3/;

/** The stretches of cleaned HTML; a line's end stands in them where one line of it is read below another. */
export function stretchesOf(html: string): readonly Stretch[] {
  const reading = new Reading();
  const whole = withoutBlanksBehindBreaks(heldCode(withQuotedParagraphs(html)));
  const held = withSeenEdges(withoutLoneBreaks(withoutLastEnds(inOneOrder(whole))));
  for (const [piece, end, name, attributes = ''] of held.matchAll(pieces)) {
    if (name === undefined) {
      if (!/^<[!?]/.test(piece)) reading.text(unescaped(piece));
    } else if (end) reading.close(name.toLowerCase());
    else reading.open(name.toLowerCase(), attributes);
  }
  return reading.end(elementsOf(held));
}

class Reading {
  readonly #all: { text: string; set: string; place?: Place }[] = [];
  readonly #open: Open[] = [];
  /** The number of the latest item; null where a list has none. */
  readonly #lists: { number: number | null }[] = [];
  #words = 0;
  #set = '';
  readonly #containers = new Containers();
  /** Since the last word: its blanks, whether a line ended, and the paragraphs of blanks alone that are drawn. */
  #blanks = '';
  #isEnded = false;
  #empty = '';
  /** The sign of a block has begun the line, and what is in the block goes on beside it. */
  #isBegun = false;
  /** A blank stands before the sign that was written last. */
  #isSpaced = false;

  text(text: string): void {
    // Most words have no setting and plain blanks between them: these are written at once.
    if (this.#set === '' && !unusual.test(text)) {
      const words = text.replace(collapsed, ' ').trim();
      if (/^\s/.test(text)) this.#blanks += ' ';
      if (words !== '') {
        this.#put(unheld(words));
        if (/\s$/.test(text)) this.#blanks = ' ';
      }
      return;
    }
    for (const word of text.match(/\s+|\S+/g) ?? []) {
      if (word.trim() === '') this.#blanks += word;
      else for (const part of word.split(codeSpace)) this.#word(part);
    }
  }

  open(name: string, attributes: string): void {
    if (ownLines.has(name)) this.#line(name !== 'pre');
    const open = { name, attributes, words: this.#words, cells: 0 };
    this.#containers.open(name);
    this.#begin(open);
    if (voids.has(name)) return;
    this.#open.push(open);
    this.#set = setOf(this.#open);
  }

  close(name: string): void {
    const place = this.#open.findLastIndex((open) => open.name === name);
    const [open] = place === -1 ? [] : this.#open.splice(place);
    if (open === undefined) return;
    this.#finish(open);
    this.#containers.close(name);
    this.#set = setOf(this.#open);
  }

  end(elements: string): readonly Stretch[] {
    if (this.#words === 0) return [];
    const empty = this.#empty === '' ? [] : [`empty ${this.#empty}`];
    return [...this.#all, { text: '', set: [...empty, `elements ${elements}`].join('\n') }];
  }

  #begin({ name, attributes }: Open): void {
    const of = (attribute: string) => attributeOf(attributes, attribute);
    if (/^h[2-4]$/.test(name)) {
      const id = of('id');
      this.#sign('#'.repeat(Number(name[1])), id === '' ? 'sign' : `sign\nanchor ${id}`);
    } else if (name === 'blockquote') this.#sign('>');
    else if (name === 'td' || name === 'th') this.#beginCell(name);
    else if (name === 'ul' || name === 'ol') {
      this.#line();
      const number = name === 'ol' ? Number(of('start') || 1) - 1 : null;
      this.#lists.push({ number });
    } else if (name === 'li') this.#beginItem();
    else if (name === 'code' && this.#open.at(-1)?.name === 'pre') {
      this.#put(`\`\`\`${of('class').replace(/^language-/, '')}`, 'sign');
      this.#line();
    } else if (name === 'br') this.#alone('↵', true);
    else if (name === 'hr') this.#alone('---');
    else if (name === 'img') {
      this.#line(true);
      const place = this.#open.some((open) => open.name === 'figure') ? ' figure' : '';
      const set = `picture ${of('width')}x${of('height')}${place}`;
      this.#put(`[${unescaped(of('alt'))}](${unescaped(of('src'))})`, set);
      this.#line();
    } else if (signs[name] !== undefined) this.#mark(signs[name]);
  }

  #finish({ name, attributes, words }: Open): void {
    if (name === 'p' && words === this.#words && this.#blanks.replace(collapsed, '') !== '')
      this.#empty += 'p';
    if (name === 'code' && this.#open.at(-1)?.name === 'pre') {
      this.#line();
      this.#put('```', 'sign');
    } else if (signs[name] !== undefined) this.#mark(signs[name]);
    else if (name === 'a' && attributeOf(attributes, 'href') !== '') {
      // The blank at the end of its words stands behind the sign: of one behind the link only the first is drawn.
      const isSpaced = this.#blanks === '' ? this.#isSpaced : blankAtEnd.test(this.#blanks);
      this.#blanks += ' ';
      this.#put(`(${unescaped(attributeOf(attributes, 'href'))})`, 'sign');
      this.#blanks = isSpaced ? ' ' : '';
    }
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    if (ownLines.has(name) || name === 'li' || name === 'ul' || name === 'ol') this.#line();
  }

  #beginCell(name: string): void {
    const row = this.#open.findLast((open) => open.name === 'tr');
    if (row !== undefined && row.cells > 0) {
      // Lines within the cell before end at its edge; of empty cells the row begins with their signs.
      if (this.#words > row.words) [this.#isEnded, this.#blanks] = [false, ' '];
      this.#sign('|');
    }
    if (row !== undefined) row.cells += 1;
    if (name === 'th') this.#sign('#');
  }

  /** Before each item the signs of all lists that it stands in: `•`, `1.1.`. */
  #beginItem(): void {
    this.#line();
    const list = this.#lists.at(-1);
    if (typeof list?.number === 'number') list.number += 1;
    this.#sign(this.#lists.map(({ number }) => (number === null ? '•' : `${number}.`)).join(''));
  }

  /** A sign at the end of a line, or as a line by itself. */
  #alone(sign: string, atEnd = false): void {
    if (atEnd) this.#blanks += ' ';
    else this.#line();
    this.#put(sign, 'sign');
    this.#line();
  }

  #sign(sign: string, set = 'sign'): void {
    this.#put(sign, set);
    this.#blanks = ' ';
    this.#isBegun = true;
  }

  /** Beside words: of the blanks on both sides of it a browser draws the first. */
  #mark(sign: string): void {
    const isSpaced =
      this.#blanks === ''
        ? this.#isSpaced || this.#isEnded || this.#words === 0
        : blankAtEnd.test(this.#blanks);
    this.#put(sign, 'sign');
    this.#isSpaced = isSpaced;
  }

  /** Ends the line; where a block only begins, not beside the sign of the one that it stands in. */
  #line(isSoft = false): void {
    if (isSoft && this.#isBegun) return;
    this.#blanks = '';
    this.#isEnded = true;
    this.#isBegun = false;
  }

  #word(part: string): void {
    if (part === '') return;
    const isSpace = codeSpace.test(part);
    const set = isSpace
      ? [this.#set, `space ${part.length}`].filter(Boolean).join('\n')
      : this.#set;
    this.#put(unheld(part), set);
  }

  #put(text: string, set = ''): void {
    this.#between();
    this.#words += 1;
    this.#isBegun = false;
    this.#push({ text, set, ...placed(this.#containers.place()) });
  }

  /** What stands before the next word. */
  #between(): void {
    const drawn = this.#blanks.replace(collapsed, ' ');
    const blanks = this.#isEnded || this.#isSpaced ? drawn.replace(/^ /, '') : drawn;
    const set = [
      ...(this.#empty === '' ? [] : [`empty ${this.#empty}`]),
      ...(blanks.replaceAll(' ', '') === '' ? [] : [`space ${blanks}`]),
    ].join('\n');
    const text = this.#isEnded ? '\n' : blanks === '' ? '' : ' ';
    this.#push({ text: this.#words === 0 ? '' : text, set, ...placed(this.#all.at(-1)?.place) });
    this.#blanks = '';
    this.#empty = '';
    this.#isEnded = false;
    this.#isSpaced = false;
  }

  #push(stretch: Stretch): void {
    const { text, set, place } = stretch;
    const last = this.#all.at(-1);
    if (text === '' && set === '') return;
    if (last?.set === set && last.text !== '' && last.place === place) last.text += text;
    else this.#all.push(stretch);
  }
}

const placed = (place: Place | undefined) => (place === undefined ? {} : { place });

function setOf(open: readonly Open[]): string {
  const names = open.flatMap(({ name, attributes }) => {
    if (untold.has(name)) return name !== 'a' || attributeOf(attributes, 'href') ? [name] : [];
    if (name !== 'td' && name !== 'th') return [];
    const spans =
      attributes.match(/ (?:(?:colspan|rowspan)="(?!1")|scope=")[^"]*"/g)?.toSorted() ?? [];
    return spans.length === 0 ? [] : [`cell${spans.join('')}`];
  });
  return [...names, ...(open.some(({ name }) => blocks.has(name)) ? [] : ['bare'])].join('\n');
}

function attributeOf(attributes: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}
