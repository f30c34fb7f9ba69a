/** Codes of an app and recovery codes, as they are typed or pasted. Pure. */
import { asciiDigits } from '@cambist/contract/ascii-digits';

/** A code's own letters and digits: as wide as they are, in whatever digits, whatever is put between them. */
export function bareCode(typed: string): string {
  return asciiDigits(typed.normalize('NFKC'))
    .replaceAll(/[\s.\u2212\p{Dash_Punctuation}\p{Format}]/gu, '')
    .toLowerCase();
}
