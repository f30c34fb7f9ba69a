/**
 * In which direction each element of a text is written, by the words in it: for pages, for letters,
 * and for the editor. `dir="auto"` is no way: browsers take it as left to right where there is no
 * letter, look into nothing that has a direction of its own, and not every mailbox knows it. Pure,
 * and light enough for a browser.
 */
import { directionOf, type Direction } from './direction.ts';
import { withoutNames } from './entities.ts';

export interface Written {
  /** By its own first letter; undefined where it has none, or where it is no block. */
  readonly own: Direction | undefined;
  /** Its own, or that of what it stands in. */
  readonly direction: Direction;
  /** Otherwise than what stands around it, so that it has to say so. */
  readonly turns: boolean;
}

interface Element {
  readonly parent: Element | undefined;
  readonly isBlock: boolean;
  own: Direction | undefined;
}

/** They go by their own first letter; items and cells by their list's and table's, beside its marks and edges. */
const blocks = new Set([
  'p',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'dl',
  'blockquote',
  'table',
  'figcaption',
]);
/** Code reads from left to right everywhere. */
const codes = new Set(['pre', 'code', 'kbd']);
const empty = new Set(['br', 'hr', 'img', 'source']);

/** Is told a text in its order: which elements begin and end, and the words between. */
export class DirectionReader {
  readonly #elements: Element[] = [];
  #around: Element | undefined;

  /** An element begins; one that can hold nothing ends at once. */
  open(name: string): void {
    const own = codes.has(name) ? 'ltr' : undefined;
    const element: Element = { parent: this.#around, isBlock: blocks.has(name), own };
    this.#elements.push(element);
    if (!empty.has(name)) this.#around = element;
  }

  /** All that is around a first letter is written as it is; code says nothing of what it stands in. */
  words(text: string): void {
    const direction = directionOf(text);
    if (direction === undefined) return;
    for (let element = this.#around; element; element = element.parent) {
      if (element.own !== undefined) return;
      if (element.isBlock) element.own = direction;
    }
  }

  close(): void {
    this.#around = this.#around?.parent;
  }

  /** Of each element, in the order in which they began. */
  written(): Written[] {
    return this.#elements.map(({ own, parent }) => {
      const around = resolved(parent);
      const direction = own ?? around;
      return { own, direction, turns: direction !== around };
    });
  }
}

function resolved(element: Element | undefined): Direction {
  return element ? (element.own ?? resolved(element.parent)) : 'ltr';
}

export interface OpeningTag extends Written {
  readonly name: string;
  /** As they are written, with the space before them. */
  readonly attributes: string;
  /** All of it. */
  readonly tag: string;
}

const pieces = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+/g;

/**
 * With each opening tag as it is rewritten. Safe to do by pattern with what the cleaner has written:
 * it has every attribute in quotes, no stray `<`, and ends what it begins.
 */
export function rewriteTags(html: string, rewrite: (opening: OpeningTag) => string): string {
  const reader = new DirectionReader();
  for (const [piece, slash, name] of html.matchAll(pieces)) {
    if (name === undefined) reader.words(withoutNames(piece));
    else if (slash) reader.close();
    else reader.open(name);
  }
  const written = reader.written().values();
  return html.replace(pieces, (tag, slash?: string, name?: string, attributes = '') => {
    if (name === undefined || slash) return tag;
    const { value } = written.next();
    return value ? rewrite({ ...value, tag, name, attributes }) : tag;
  });
}
