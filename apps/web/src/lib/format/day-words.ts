/** A calendar day; formatted in UTC, so that no time zone shifts it. */
import { getLocale } from '#lib/paraglide/runtime.js';
import { dateFormat } from './intl.ts';

export function dayWords(day: string): string {
  const format = dateFormat(getLocale(), { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
