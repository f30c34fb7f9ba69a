/** A slug made of a title. Pure. */
import anyAscii from 'any-ascii';

const MAX_LENGTH = 80;
// Emoji would become the words that name them.
const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;

/** Transliterates all scripts to Latin letters. Empty if the title has no usable letters. */
export function slugOf(title: string): string {
  return anyAscii(title.normalize('NFKC').replace(pictures, ' '))
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
