/** How a moment is written, everywhere the same. Pure. */

export type MomentParts = 'date' | 'time' | 'both' | 'exact';

/**
 * `at`: ISO 8601. `zone`: IANA, or null for the visitor's own. UTC is said
 * wherever there is a time; `exact` has the seconds too.
 */
export function writeMoment(
  at: string,
  locale: string,
  show: MomentParts,
  zone: 'UTC' | null,
): string {
  const options: Intl.DateTimeFormatOptions = {};
  if (show !== 'time') Object.assign(options, { day: 'numeric', month: 'short', year: 'numeric' });
  if (show !== 'date')
    Object.assign(options, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (show === 'exact') options.second = '2-digit';
  if (zone !== null) options.timeZone = zone;
  const written = new Intl.DateTimeFormat(locale, options).format(new Date(at));
  return zone === null || show === 'date' ? written : `${written} ${zone}`;
}
