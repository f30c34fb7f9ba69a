/** A day of the calendar, in UTC: no time zone moves it. */
import { getLocale } from '#lib/paraglide/runtime.js';

export function dayWords(day: string): string {
  const format = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
