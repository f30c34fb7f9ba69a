/** In which direction a text is written. Pure, and light enough for a browser. */

export type Direction = 'ltr' | 'rtl';

/** A letter, or one of the marks that stand for one: U+200E, U+200F, U+061C. */
const strong = /[\p{L}\u200e\u200f\u061c]/u;
export const fromTheRight =
  /[\u200f\u061c\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;

/** By its first letter, as browsers do where it says `dir="auto"`; undefined where it has none. */
export function directionOf(text: string): Direction | undefined {
  const first = strong.exec(text)?.[0];
  if (first === undefined) return undefined;
  return fromTheRight.test(first) ? 'rtl' : 'ltr';
}

/** What turns the letters behind it until something ends it. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A text of somebody else for the middle of a sentence of ours, so that nothing in it turns the words
 * around it; where it stands in an element of its own, `<bdi>` does the same. Nothing is added to what is
 * written from the left.
 */
export function apart(text: string): string {
  if (!turning.test(text) && !fromTheRight.test(text)) return text;
  return `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069`;
}

/**
 * A text where nothing can be put around it, such as the title of a window: without what turns its
 * letters. What `apart` has put into it stays.
 */
export function unturned(text: string): string {
  const inOrder = text.replace(/[\u202a-\u202e]/g, '');
  return inOrder.replace(/(\u2068[^\u2066-\u2069]*\u2069)|[\u2066-\u2069]/g, '$1');
}
