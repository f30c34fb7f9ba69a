/** Words for a letter's header. Pure. */
import { unturned } from '@cambist/markup/direction';

const LONGEST = 200;

/**
 * One line of visible text: names and subjects hold what people typed, and a line break in a
 * header would begin another header, and a mailbox shows it among words of its own.
 */
export function oneLine(text: string): string {
  const flat = unturned(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...flat].slice(0, LONGEST).join('');
}
