/** How a moment is written, everywhere the same. Pure. */

export type MomentParts = 'date' | 'time' | 'both' | 'exact';

/**
 * `at`: ISO 8601. `zone`: IANA, or null for the visitor's own. A zone is named
 * wherever there is a time; `exact` has the seconds too.
 */
export function writeMoment(
  at: string,
  locale: string,
  show: MomentParts,
  zone: string | null,
): string {
  const options: Intl.DateTimeFormatOptions = {};
  if (show !== 'time') Object.assign(options, { day: 'numeric', month: 'short', year: 'numeric' });
  if (show !== 'date')
    Object.assign(options, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (show === 'exact') options.second = '2-digit';
  if (zone !== null) options.timeZone = zone;
  const written = new Intl.DateTimeFormat(locale, options).format(new Date(at));
  if (zone === null || show === 'date') return written;
  // Day and time stay in one line; a zone's name may be long.
  return zone === 'UTC' ? `${written} UTC` : `${written.replaceAll(' ', '\u00a0')} ${zone}`;
}
