/** In which direction a text is written. Pure, and light enough for a browser. */

export type Direction = 'ltr' | 'rtl';

const letter = /\p{L}/u;
const fromTheRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** By its first letter, as browsers do where it says `dir="auto"`; undefined where it has none. */
export function directionOf(text: string): Direction | undefined {
  const first = letter.exec(text)?.[0];
  if (first === undefined) return undefined;
  return fromTheRight.test(first) ? 'rtl' : 'ltr';
}
