/** Between a moment and what a field for a day and a time writes, in the desk's zone. Pure. */
import { dateFormat } from './intl.ts';

/** `"2026-11-21T18:30"` in this IANA zone; '' for none. */
export function toZoneTime(iso: string, timeZone: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16);
}

/**
 * ISO 8601 in UTC; '' where no moment is written. A time that the zone's clocks
 * skip is the one as long after the skip; of one that they show twice, the first.
 */
export function fromZoneTime(text: string, timeZone: string): string {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return '';
  // The offset a day before and after: one of them holds, or the clocks change in between.
  const candidates = [-1, 1].map((days) => wall - offsetAt(wall + days * 86_400_000, timeZone));
  const fitting = candidates.find((at) => at + offsetAt(at, timeZone) === wall);
  return new Date(fitting ?? Math.max(...candidates)).toISOString();
}

/** What the zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const format = dateFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(
    format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return wall - Math.floor(at / 1000) * 1000;
}
