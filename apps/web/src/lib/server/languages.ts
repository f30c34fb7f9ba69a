/** The addresses that one page has in the languages of the site. */
import { locales, localizeHref } from '#lib/paraglide/runtime.js';
import type { Alternate } from './site-map.ts';

/** None while every language is read at the same address, as a cookie decides it. */
export function languagesOf(path: string): Alternate[] {
  const all = locales.map((language) => ({
    language,
    path: localizeHref(path, { locale: language }),
  }));
  return new Set(all.map((each) => each.path)).size > 1 ? all : [];
}
