/**
 * The choice between the light and the dark theme lives in a cookie, so that
 * the server renders the right one at once and no script must run before paint.
 */
export type Theme = 'light' | 'dark' | 'auto';

export const themeCookie = 'theme';
/** One year, in seconds. */
export const themeMaxAge = 31_536_000;

export function parseTheme(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** Applies and remembers a choice in the browser. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${themeMaxAge}; samesite=lax`;
}
