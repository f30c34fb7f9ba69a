/** In which direction the lists, quotes and code of a text are written, one by one. Pure. */
import { directionOf } from '@cambist/markup/direction';

const turned = /^<(\/?)(?:ul|ol|dl|blockquote|table)\b/;
const tags = /(<(?:pre|code|kbd)\b[\s\S]*?<\/(?:pre|code|kbd)>|<[^>]*>)/;
const character = /&#?\w+;/g;

/**
 * The marks of a list or a quote, and the columns of a table, stand where its own words begin, by
 * the first letter of all that is in it. Without a letter it is turned as what it stands in.
 * `dir="auto"` is no way: browsers take that as left to right where there is no letter, and
 * look into nothing that has a direction of its own. Code reads from left to right everywhere, and
 * says nothing of the words around it. `html` is what the cleaner has written.
 */
export function withDirections(html: string): string {
  // Texts stand between tags and code, at the even places.
  const parts = html.split(tags);
  const open: number[] = [];
  let waiting: number[] = [];
  for (const [at, part] of parts.entries()) {
    const tag = turned.exec(part);
    if (tag?.[1] === '') {
      open.push(at);
      waiting.push(at);
    } else if (tag) {
      const begun = open.pop();
      if (waiting.at(-1) === begun) waiting.pop();
    }
    const direction = at % 2 === 0 ? directionOf(part.replace(character, ' ')) : undefined;
    if (direction === undefined) continue;
    for (const place of waiting) {
      parts[place] = parts[place]?.replace(/^<\w+/, `$& dir="${direction}"`) ?? '';
    }
    waiting = [];
  }
  return parts.join('').replace(/<(pre|code|kbd)\b/g, '<$1 dir="ltr"');
}
