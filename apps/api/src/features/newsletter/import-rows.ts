/** What a line of an imported list says, once its heading is known. Pure. */
import type { CsvRow } from '#kernel/read-csv.ts';
import { isMailAddress } from '../../mail-server.ts';

/** Where the columns stand; -1 for what the file has not. */
export interface Columns {
  readonly email: number;
  readonly locale: number;
  readonly state: number;
  /** Whether the first row names them, so that it is nobody's. */
  readonly named: boolean;
}

const emailNames = /^(e-?mail|mail|address|e-?mail[ _-]?address)$/i;
const localeNames = /^(locale|language|lang)$/i;
const stateNames = /^(state|status)$/i;
/** What other tools, and our own export, call somebody who must not be written to. */
const leftNames =
  /^(left|unsubscribed|bounced|cleaned|pending|unconfirmed|complained|suppressed)$/i;
const localePattern = /^[a-z]{2}(-[A-Z]{2})?$/;

/** Null where there is no column of addresses. */
export function columnsOf({ cells }: CsvRow): Columns | null {
  const names = cells.map((cell) => cell.trim());
  const at = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const email = at(emailNames);
  if (email !== -1) return { email, locale: at(localeNames), state: at(stateNames), named: true };
  const first = names.findIndex(isAddress);
  return first === -1 ? null : { email: first, locale: -1, state: -1, named: false };
}

export type Judged =
  | { readonly kind: 'address'; readonly email: string; readonly locale: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'invalid'; readonly text: string };

export function judge({ cells }: CsvRow, columns: Columns): Judged {
  // Our own export puts an apostrophe before what a spreadsheet would run.
  const typed = (cells[columns.email] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
  if (!isAddress(typed)) return { kind: 'invalid', text: typed.slice(0, 100) };
  if (leftNames.test((cells[columns.state] ?? '').trim())) return { kind: 'left' };
  const locale = (cells[columns.locale] ?? '').trim();
  return { kind: 'address', email: typed, locale: localePattern.test(locale) ? locale : 'en' };
}

/** As a mail server takes it: with a host that has a dot, and in the letters that all of them know. */
function isAddress(text: string): boolean {
  return isMailAddress(text) && /^[\x21-\x7e]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text);
}
