/**
 * Stands in for paraglide's runtime in the browser (see vite.config.ts): the
 * server has chosen the language and written it on the document, so pages need
 * nothing of what finds, keeps and turns it into addresses.
 */
export const experimentalStaticLocale = undefined;

export function getLocale(): string {
  return document.documentElement.lang;
}

export function getTextDirection(): 'ltr' | 'rtl' {
  return document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
}
