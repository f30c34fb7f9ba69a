/**
 * What somebody types into a search field, for PostgreSQL's `to_tsquery`: every
 * word must be found, each as the beginning of one, so that what is still being
 * typed finds something. Signs have no meaning. Pure.
 */
const MAX_WORDS = 8;

/** Null when there is no word in it, which finds everything. */
export function searchWords(typed: string): string | null {
  const words = typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return null;
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `${word}:*`)
    .join(' & ');
}
