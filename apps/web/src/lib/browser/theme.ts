/**
 * The theme is kept in a cookie, so that the server renders the right one and no script runs before
 * the first paint.
 */
export type Theme = 'light' | 'dark' | 'auto';

export const themeCookie = 'theme';
/** One year, in seconds. */
export const themeMaxAge = 31_536_000;

export function parseTheme(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** The cookie for `document.cookie`; secure over https. */
export function themeCookieLine(theme: Theme, protocol: string): string {
  return `${themeCookie}=${theme}; path=/; max-age=${themeMaxAge}; samesite=lax${protocol === 'https:' ? '; secure' : ''}`;
}

/** Applies and saves the choice. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.cookie = themeCookieLine(theme, location.protocol);
}
