/** What a line of an imported list says, once its columns are known. Pure. */
import type { CsvRow } from '#kernel/read-csv.ts';
import type { Columns, StateColumn } from './import-columns.ts';
import {
  addressOf,
  isRefusal,
  meaningOf,
  refusalOf,
  wishOf,
  type Meaning,
} from './import-words.ts';

const localePattern = /^[a-z]{2}(-[A-Z]{2})?$/;
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export type Judged =
  | {
      readonly kind: 'address';
      readonly email: string;
      readonly locale: string;
      /** What stands where the language should, if it names none that is known. */
      readonly unknownLanguage: string | null;
    }
  | { readonly kind: 'left' }
  /** Whether they get letters is said in words that are not understood. */
  | { readonly kind: 'unknown'; readonly column: string; readonly word: string }
  | { readonly kind: 'invalid'; readonly text: string };

export function judge({ cells }: CsvRow, { email, locale, states }: Columns): Judged {
  // Our own export puts an apostrophe before what a spreadsheet would run.
  const typed = (cells[email] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
  const address = addressOf(typed);
  if (address === null) return { kind: 'invalid', text: typed.slice(0, 100) };
  const said = states.map((column) => ({ column, cell: (cells[column.at] ?? '').trim() }));
  const meanings = said.map(({ column, cell }) => meaningIn(column, cell));
  if (meanings.includes('left') || cells.some((cell, at) => at !== email && isRefusal(cell))) {
    return { kind: 'left' };
  }
  const unknown = said[meanings.indexOf('unknown')];
  if (unknown) return { kind: 'unknown', column: unknown.column.name, word: unknown.cell };
  const language = (cells[locale] ?? '').trim();
  const known = isLanguage(language);
  return {
    kind: 'address',
    email: address,
    // The site's own for what names none.
    locale: known ? language : 'en',
    unknownLanguage: known || language === '' ? null : language,
  };
}

function isLanguage(word: string): boolean {
  return localePattern.test(word) && languages.of(word.slice(0, 2)) !== undefined;
}

function meaningIn({ says }: StateColumn, cell: string): Meaning {
  if (says === 'no') return refusalOf(cell);
  if (says === 'yes') return wishOf(cell);
  return cell === '' ? 'subscribed' : meaningOf(cell);
}
