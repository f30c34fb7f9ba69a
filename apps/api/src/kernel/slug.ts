/** An address made of a title: what it would be in plain small letters. Pure. */
import anyAscii from 'any-ascii';

const MAX_LENGTH = 80;
// They are pictures, and would become the words that name them.
const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;

/**
 * Letters of all scripts are written as Latin ones, one by one, as no language is known.
 * Empty where nothing of the title can stand in an address.
 */
export function slugOf(title: string): string {
  return anyAscii(title.normalize('NFKC').replace(pictures, ' '))
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
