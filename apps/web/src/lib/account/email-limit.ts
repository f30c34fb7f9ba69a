/** What is said where an address has had so many letters that no more was sent. */
import { spanInWords } from '#lib/exchange/span.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';

/** Beyond this many minutes hours are told. */
const MOST_MINUTES = 90;

/** `seconds`: after which one is sent again, where that is known. */
export function noLetterSent(seconds: number | undefined): string {
  if (!seconds) return m.ui_failure_letters();
  const minutes = Math.ceil(seconds / 60);
  const told = minutes > MOST_MINUTES ? Math.ceil(minutes / 60) * 60 : minutes;
  return m.ui_failure_letters_for({ span: spanInWords(told, getLocale()) });
}
