/** How a moment is written, everywhere the same. Pure. */
import { dateFormat } from './intl.ts';

export type MomentParts = 'date' | 'time' | 'both' | 'exact';

/**
 * `at`: ISO 8601. `zone`: IANA, or null for the visitor's own. Unless `isNamed` is false, a zone is
 * named wherever there is a time; `exact` has the seconds too.
 */
export function writeMoment(
  at: string,
  locale: string,
  show: MomentParts,
  zone: string | null,
  isNamed = true,
): string {
  const written = formatOf(locale, show, zone).format(new Date(at));
  if (!isNamed || zone === null || show === 'date') return written;
  // Day and time stay in one line; a zone's name may be long.
  return zone === 'UTC' ? `${written} UTC` : `${written.replaceAll(' ', '\u00a0')} ${zone}`;
}

function formatOf(locale: string, show: MomentParts, zone: string | null): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = {};
  if (show !== 'time') Object.assign(options, { day: 'numeric', month: 'short', year: 'numeric' });
  if (show !== 'date')
    Object.assign(options, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (show === 'exact') options.second = '2-digit';
  if (zone !== null) options.timeZone = zone;
  return dateFormat(locale, options);
}

/** Whether a moment lies on the day that it is now, in that zone; null is the visitor's own. */
export function isSameDay(at: string, now: number, zone: string | null): boolean {
  const options: Intl.DateTimeFormatOptions = zone === null ? {} : { timeZone: zone };
  const days = dateFormat('en', { dateStyle: 'short', ...options });
  return days.format(new Date(at)) === days.format(now);
}
