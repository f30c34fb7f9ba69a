/** Words for a letter's header. Pure. */

const LONGEST = 200;

/**
 * One line of visible text: names and subjects hold what people typed, and a line break in a
 * header would begin another header.
 */
export function oneLine(text: string): string {
  const flat = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...flat].slice(0, LONGEST).join('');
}
