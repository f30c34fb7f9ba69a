/** Whether anything of a text is seen: what is required must not be met by a blank. Pure. */

/**
 * For schemas: one letter, digit, punctuation mark or symbol. White space, controls and direction
 * marks are none, nor are the fillers and the blank Braille pattern, which Unicode counts among them.
 */
export const seenSign = '(?![\\u2800\\p{Default_Ignorable_Code_Point}])[\\p{L}\\p{N}\\p{P}\\p{S}]';

const SEEN = new RegExp(seenSign, 'u');

export function isSeen(text: string): boolean {
  return SEEN.test(text);
}
