/** In which direction a text is written, for what stands beside it: the text itself has `dir="auto"`. Pure. */

const letter = /\p{L}/u;
const fromTheRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** By its first letter, as browsers do; undefined where it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const first = letter.exec(text)?.[0];
  if (first === undefined) return undefined;
  return fromTheRight.test(first) ? 'rtl' : 'ltr';
}
