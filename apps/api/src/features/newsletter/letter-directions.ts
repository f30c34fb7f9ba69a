/**
 * In which direction each element of a letter is written. Decided here, since not every mailbox
 * knows `dir="auto"`, or a padding at the side where a line begins. Pure.
 */
import { directionOf, type Direction } from '@cambist/markup/direction';

interface Element {
  readonly parent: Element | undefined;
  readonly isBlock: boolean;
  direction: Direction | undefined;
}

export interface Written {
  readonly direction: Direction;
  /** Otherwise than what stands around it, so that it has to say so. */
  readonly turns: boolean;
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
const codes = new Set(['pre', 'code', 'kbd']);
const empty = new Set(['br', 'hr', 'img']);

/** Of the opening tags of clean HTML, in their order. */
export function directionsIn(html: string): Written[] {
  const elements: Element[] = [];
  let around: Element | undefined;
  for (const [, slash, tag, text] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>|([^<]+)/g)) {
    if (tag === undefined) begin(around, text ?? '');
    else if (slash) around = around?.parent;
    else {
      const element = opened(tag, around);
      elements.push(element);
      if (!empty.has(tag)) around = element;
    }
  }
  return elements.map((element) => {
    const direction = resolved(element);
    return { direction, turns: direction !== resolved(element.parent) };
  });
}

function opened(tag: string, parent: Element | undefined): Element {
  const direction = codes.has(tag) ? 'ltr' : undefined;
  return { parent, isBlock: blocks.has(tag), direction };
}

/** What is around the first letter is written in its direction; that of code says nothing about its surroundings. */
function begin(around: Element | undefined, text: string): void {
  const direction = directionOf(text.replace(/&[^;\s]+;/g, ' '));
  if (direction === undefined) return;
  for (let element = around; element; element = element.parent) {
    if (element.direction !== undefined) return;
    if (element.isBlock) element.direction = direction;
  }
}

function resolved(element: Element | undefined): Direction {
  return element ? (element.direction ?? resolved(element.parent)) : 'ltr';
}
