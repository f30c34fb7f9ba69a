/**
 * Text that shows all that it holds: what people are named and paid out to must
 * not look like something else. Both applications ask here, so that a form
 * refuses what the service refuses. Pure.
 */

// Controls, what Unicode calls ignorable (zero-width and direction marks, fillers,
// tags), line separators, annotation marks and the blank Braille pattern. Variation
// selectors choose a letter's shape and stay, as Japanese names need them.
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\p{Variation_Selector}\p{Join_Control}])\p{Default_Ignorable_Code_Point}/u;

// Persian and Indic words are spelt with these two, U+200C and U+200D, but only inside of a word.
const STRAY_JOINER = /(?<![\p{L}\p{M}])\p{Join_Control}|\p{Join_Control}(?!\p{L})/u;

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * False where the text holds something that cannot be seen or that turns its
 * direction, and where nothing of it can be seen. Joiners may stand between letters.
 */
export function isPlainlySeen(text: string): boolean {
  return SEEN.test(text) && !HIDDEN.test(text) && !STRAY_JOINER.test(text);
}
