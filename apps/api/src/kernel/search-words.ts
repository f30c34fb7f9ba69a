/**
 * What a user types into a search field, for PostgreSQL's `to_tsquery`: every
 * word must be found, each as the beginning of one, so that what is still being
 * typed finds something. Punctuation has no meaning. Pure.
 */

const MAX_WORDS = 8;

/** As in the database's function `searched_words`: a text is found only where both are split alike. */
const betweenWords =
  /[\0-/:-@[-`{-\u00a9\u00ab-\u00b1\u00b4-\u00bf\u2000-\u206f\u20a0-\u20cf\u2190-\u23ff\u2500-\u2bff\u3000-\u303f]+/u;
const accents = /[\u0300-\u036f]+/g;

/** Null when nothing is typed, which finds everything; punctuation alone finds nothing. */
export function searchWords(typed = ''): string | null {
  const words = typed
    .normalize('NFD')
    .replace(accents, '')
    .split(betweenWords)
    .filter((word) => word !== '');
  if (words.length === 0) return typed.trim() === '' ? null : '';
  // Nothing in quotes has a meaning to `to_tsquery`, and no word holds a quote.
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
