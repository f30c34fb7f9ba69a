/** The search of users by name and address, through the indexes of `users`. */
import { sql, type RawBuilder } from 'kysely';

/** The separators of the function `customer_words`. */
const BETWEEN_WORDS = /[\t-\r !-/:-@[-`{-~\u00a0\u02bc\u2010-\u2015\u2018\u2019\u3000]+/u;

/**
 * Matches rows of `users` by the beginnings of words of the name or address, or with an @ by the
 * beginning of the address. Null without a searchable word.
 */
export function userCondition(text: string): RawBuilder<boolean> | null {
  if (/^[^@\s]+@[^@\s]*$/.test(text)) {
    const address = text.toLowerCase().replace(/[\\%_]/g, '\\$&');
    return sql<boolean>`email like ${`${address}%`}`;
  }
  // Normalised first, since some characters compose to a separator.
  const words = text
    .normalize('NFC')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  // Quotes and backslashes are separators, so no word contains one.
  const query = words.map((word) => `'${word}':*`).join(' & ');
  return sql<boolean>`customer_words(name, email) @@ lower(${query})::tsquery`;
}
