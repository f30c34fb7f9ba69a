/**
 * Checks for invisible characters: required texts must have visible ones, and names and payout details must not
 * look like others. Pure.
 */

/** For schemas: one letter, digit, punctuation mark or symbol that is not invisible. */
export const visibleCharacter =
  '(?![\\u2800\\p{Default_Ignorable_Code_Point}])[\\p{L}\\p{N}\\p{P}\\p{S}]';

const VISIBLE = new RegExp(visibleCharacter, 'u');
// Controls, direction overrides and marks, zero-width characters, line separators, blank Braille.
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\p{Variation_Selector}\p{Join_Control}])\p{Default_Ignorable_Code_Point}/u;
// Joiners and variation selectors are visible only inside words of some scripts.
const STRAY =
  /[\p{Join_Control}\p{Variation_Selector}]{2}|(?:^|[\p{Script=Latin}\p{N}\s])[\p{Join_Control}\p{Variation_Selector}]|\u200c(?:$|[\p{Script=Latin}\p{N}\s])/u;

export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** False for a text with invisible characters or direction overrides, or without a visible character. */
export function isPlainText(text: string): boolean {
  return isVisible(text) && !HIDDEN.test(text) && !STRAY.test(text);
}
