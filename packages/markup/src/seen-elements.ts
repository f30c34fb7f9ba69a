/** The elements of HTML, as far as a reader sees where they begin and end. Pure. */
import { unescaped } from './entities.ts';
import { pieces } from './tags.ts';

/** Rows are drawn alike in either, and a heading cell says itself that it is one. */
const unseen = new Set(['thead', 'tbody']);
/** Within these a blank is drawn otherwise than beside them. */
const drawn = new Set('a u s mark code kbd'.split(' '));
const inline = new Set([...drawn, ...'strong b em i sub sup'.split(' ')]);
/** How a picture is loaded, what a link says to robots, and what is so without being said. */
const untold = /\s(?:rel|loading)="[^"]*"|\s(?:start|colspan|rowspan)="1"|\/$/g;
const blank = /[ \t\n\r\f]/;
const blanks = /[ \t\n\r\f\uFDD0-\uFDD2]/g;

/**
 * Each with the letters before it, and `_` before those behind a blank that is drawn: two tables are
 * read like one and a typed `•` like an item's, but they are seen.
 */
export function elementsOf(held: string): string {
  const elements: string[] = [];
  let letters = 0;
  /** Whether the line has letters. */
  let isBegun = false;
  let isBehindBlank = false;
  /** Those behind a blank at which the line may still end: then nobody sees it. */
  let waiting: number[] = [];
  for (const [whole, end, name, attributes = ''] of held.matchAll(pieces)) {
    if (name === undefined) {
      const text = unescaped(whole);
      const seen = text.replace(blanks, '').length;
      if (seen > 0) {
        for (const place of waiting) elements[place] = `_${elements[place]}`;
        [waiting, isBehindBlank] = [[], blank.test(text.at(-1) ?? '')];
        isBegun = true;
      } else if (isBegun) isBehindBlank = true;
      letters += seen;
      continue;
    }
    if (!inline.has(name)) [waiting, isBehindBlank, isBegun] = [[], false, false];
    if (unseen.has(name)) continue;
    // A paragraph with nothing in it has no height.
    if (end && name === 'p' && elements.at(-1) === `${letters}p`) {
      elements.pop();
      continue;
    }
    if (isBehindBlank && drawn.has(name)) waiting.push(elements.length);
    const told = attributes.replace(untold, '').replace(/\s+/g, ' ').trimEnd();
    elements.push(`${letters}${end}${name}${told}`);
  }
  return elements.join(',');
}
