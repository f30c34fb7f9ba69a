/**
 * Replaces paraglide's runtime in the browser (see vite.config.ts): the server has chosen the
 * language and set it on the document.
 */
export const experimentalStaticLocale = undefined;

export function getLocale(): string {
  return document.documentElement.lang;
}

export function getTextDirection(): 'ltr' | 'rtl' {
  return document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
}
