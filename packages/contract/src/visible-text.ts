/**
 * Text that shows all that it holds: what people are named and paid out to must
 * not look like something else. Both applications ask here, so that a form
 * refuses what the service refuses. Pure.
 */
import { isSeen } from './seen-text.ts';

// Controls, what Unicode calls ignorable (zero-width and direction marks, fillers,
// tags), line separators, annotation marks and the blank Braille pattern.
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\p{Variation_Selector}\p{Join_Control}])\p{Default_Ignorable_Code_Point}/u;

// Letters and marks of the scripts that are spelt with joiners, U+200C and U+200D. In any other
// script a joiner changes nothing that can be seen.
const JOINED =
  '(?=[\\p{L}\\p{M}])[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]';

// The signs that take a consonant's vowel away. With U+200D after one a word may end, as on a
// Malayalam chillu.
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';

const STRAY_JOINER = new RegExp(
  `(?<!${JOINED})\\p{Join_Control}|(?:\\u200c|(?<!${VIRAMA})\\u200d)(?!${JOINED})`,
  'u',
);

// Selectors choose the shape of the one sign before them: of a Mongolian letter, of a Chinese
// character as Japanese names need it, of a picture, of a Burmese or Phags-pa letter.
const STRAY_SELECTOR =
  /(?<!\p{scx=Mong})[\u180b-\u180d\u180f]|(?<!\p{sc=Han})[\u{e0100}-\u{e01ef}]|(?<![\p{sc=Han}\p{sc=Mymr}\p{sc=Phag}\p{Extended_Pictographic}])[\ufe00-\ufe0f]/u;

/**
 * False where the text holds something that cannot be seen or that turns its
 * direction, and where nothing of it can be seen. Joiners and selectors
 * may stand where a script is written with them.
 */
export function isPlainlySeen(text: string): boolean {
  return (
    isSeen(text) && !HIDDEN.test(text) && !STRAY_JOINER.test(text) && !STRAY_SELECTOR.test(text)
  );
}
