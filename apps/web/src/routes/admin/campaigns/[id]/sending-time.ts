/** How long a campaign takes, in the unit that a person would say. Pure but for the language. */
import { getLocale } from '#lib/paraglide/runtime.js';

export function minutesFor(emails: number, perMinute: number): number {
  return emails / perMinute;
}

export function spanOfMinutes(minutes: number): string {
  const [value, unit] =
    minutes < 90
      ? [Math.max(1, Math.ceil(minutes)), 'minute']
      : minutes < 36 * 60
        ? [Math.ceil(minutes / 60), 'hour']
        : [Math.ceil(minutes / (24 * 60)), 'day'];
  return new Intl.NumberFormat(getLocale(), {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'long',
  }).format(Number(value));
}
