/** How long a campaign takes, in the unit that a person would say. Pure but for the language. */
import { getLocale } from '#lib/paraglide/runtime.js';

/**
 * So that no 60 seconds have more than the settings say, a batch leaves room for what the batches of
 * the minute before it have not sent yet: over a long campaign this much of the pace is left.
 */
const TRUE_SHARE = 0.85;

export function minutesFor(letters: number, perMinute: number): number {
  return letters / (perMinute * TRUE_SHARE);
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
