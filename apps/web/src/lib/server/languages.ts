/** The addresses of a page in the languages of the site. */
import { locales, localizeHref } from '#lib/paraglide/runtime.js';
import type { Alternate } from './site-map/site-map.ts';

/** Empty when all languages share one address and a cookie chooses. */
export function languagesOf(path: string): Alternate[] {
  const all = locales.map((language) => ({
    language,
    path: localizeHref(path, { locale: language }),
  }));
  return new Set(all.map((each) => each.path)).size > 1 ? all : [];
}
