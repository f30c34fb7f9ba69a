/** Whether a text is in the site's language, as far as its letters tell. Pure. */
import { directionOf, type Direction } from '@cambist/markup/direction';

// The names of elements and signs are no words of the text.
const marks = /<[^>]*>|&[^;\s]+;/g;

/**
 * Nobody names a text's language, and most are in the site's. One that begins from the other
 * side is not, and then it is better to say nothing of it than what is untrue.
 */
export function isForeign(title: string, html: string, site: Direction): boolean {
  return [title, html.replace(marks, ' ')].some((text) => (directionOf(text) ?? site) !== site);
}
