/** Search input as a query for PostgreSQL's `to_tsquery`: every word must match as a prefix. Pure. */

const MAX_WORDS = 8;

/** Must split words like the database's function `searched_words`. */
const betweenWords =
  /[\0-/:-@[-`{-\u00a9\u00ab-\u00b1\u00b4-\u00bf\u2000-\u206f\u20a0-\u20cf\u2190-\u23ff\u2500-\u2bff\u3000-\u303f]+/u;
const accents = /[\u0300-\u036f]+/g;

/** Null for empty input, which matches everything; punctuation alone matches nothing. */
export function searchWords(typed = ''): string | null {
  const words = typed
    .normalize('NFD')
    .replace(accents, '')
    .split(betweenWords)
    .filter((word) => word !== '');
  if (words.length === 0) return typed.trim() === '' ? null : '';
  // Quoted words have no operators, and no word contains a quote.
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
