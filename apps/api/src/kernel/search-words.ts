/**
 * What somebody types into a search field, for PostgreSQL's `to_tsquery`: every
 * word must be found, each as the beginning of one, so that what is still being
 * typed finds something. Signs have no meaning. Pure.
 */
import { folded } from '@cambist/contract/letters';

const MAX_WORDS = 8;

/**
 * What stands between words, as in the function `words_apart` (0058): a text is found by
 * what is typed of it only where both are cut alike.
 */
const BETWEEN_WORDS = new RegExp(
  '[\\0-/:-@\\[-`{-\\u00A9\\u00AB-\\u00B1\\u00B4\\u00B6-\\u00B8\\u00BB\\u00BF\\u00D7\\u00F7' +
    '\\u02C2-\\u02C5\\u02D2-\\u02DF\\u037E\\u0384\\u0385\\u0387\\u0482\\u055A-\\u055F\\u0589-\\u058F' +
    '\\u05BE\\u05C0\\u05C3\\u05C6\\u05F3-\\u060F\\u061B-\\u061F\\u066A-\\u066D\\u06D4\\u06DD\\u06DE' +
    '\\u0964\\u0965\\u0970\\u09F2\\u09F3\\u0E3F\\u0E4F\\u0E5A\\u0E5B\\u1360-\\u1368\\u17D4-\\u17D6\\u17D8-\\u17DB' +
    '\\u2000-\\u206F\\u207A-\\u207E\\u208A-\\u208E\\u20A0-\\u2101\\u2103-\\u2106\\u2116-\\u2118\\u2120-\\u2122' +
    '\\u2190-\\u245F\\u2500-\\u2775\\u2794-\\u2BFF\\u2E00-\\u2E2E\\u2E30-\\u2E7F' +
    '\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303D-\\u303F\\u30A0\\u30FB' +
    '\\uFD3E\\uFD3F\\uFDFC\\uFE00-\\uFE19\\uFE30-\\uFE6F\\uFEFF-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65' +
    '\\uFFE0-\\uFFFF\\u{1F000}-\\u{1F0FF}\\u{1F10D}-\\u{1FBEF}\\u{E0000}-\\u{E0FFF}]+',
  'u',
);

/** Letters that have no accent apart from them; small ones for capitals too. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** Latin letters without their accents, as in the function of that name (0058); elsewhere marks make other words. */
function unaccented(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/([A-Za-z\u00C0-\u02AF])[\u0300-\u036F]+/gu, '$1')
    .replaceAll(/[ŁłĐđØøıßẞÆæŒœ]/gu, (letter) => PLAIN[letter.toLowerCase()] ?? letter)
    .normalize('NFC');
}

/** Null when nothing is typed, which finds everything; signs alone are a question that nothing answers. */
export function searchWords(typed = ''): string | null {
  const words = folded(unaccented(typed))
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return typed.trim() === '' ? null : '';
  // PostgreSQL makes small letters of them, as of the text. In quotes nothing has a meaning, not even
  // what a locale takes for a space; no word holds a quote.
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
