/** A language by its own code, as the reader calls it: `de` is "German". */
import { getLocale } from '#lib/paraglide/runtime.js';

export function languageName(locale: string): string {
  return new Intl.DisplayNames([getLocale()], { type: 'language' }).of(locale) ?? locale;
}
