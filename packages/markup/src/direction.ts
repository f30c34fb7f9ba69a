/** In which direction a text is written. Pure, and light enough for a browser. */

export type Direction = 'ltr' | 'rtl';

/** A letter, or one of the marks that stand for one: U+200E, U+200F, U+061C. */
const strong = /[\p{L}\u200e\u200f\u061c]/u;
const fromTheRight =
  /[\u200f\u061c\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/** By its first letter, as browsers do where it says `dir="auto"`; undefined where it has none. */
export function directionOf(text: string): Direction | undefined {
  const first = strong.exec(text)?.[0];
  if (first === undefined) return undefined;
  return fromTheRight.test(first) ? 'rtl' : 'ltr';
}
