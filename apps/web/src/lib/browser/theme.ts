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

/** The cookie as script writes it; `protocol` is the page's. Over https it never travels in the clear. */
export function themeCookieLine(theme: Theme, protocol: string): string {
  return `${themeCookie}=${theme}; path=/; max-age=${themeMaxAge}; samesite=lax${protocol === 'https:' ? '; secure' : ''}`;
}

/** Applies and remembers a choice in the browser. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.cookie = themeCookieLine(theme, location.protocol);
}
