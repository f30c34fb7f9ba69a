/**
 * Pure: the hours in which a pair is served, by the clock on the desk's wall.
 * A day may last 23 or 25 hours there: an hour that is skipped opens nothing
 * before it is over, and one that comes twice counts twice.
 */
import type { HoursJson } from '#platform/db/json-columns.ts';

/** A week and a day, and a week more for an hour that a clock put forward skips. */
const DAYS_AHEAD = 15;

/** `zone`: an IANA name. Null hours are always open. */
export function isOpenAt(hours: readonly HoursJson[] | null, zone: string, moment: Date): boolean {
  if (hours === null) return true;
  const { dayOfWeek, hour, minute } = zonedAt(moment, zone);
  const now = hour * 60 + minute;
  const yesterday = dayOfWeek === 1 ? 7 : dayOfWeek - 1;
  return hours.some(({ days, from, to }) => {
    const [opens, closes] = [minuteOf(from), minuteOf(to)];
    const today = days.includes(dayOfWeek) && now >= opens;
    if (closes > opens) return today && now < closes;
    return today || (days.includes(yesterday) && now < closes);
  });
}

/** The first moment after this one at which it opens; null where it is open, or never opens. */
export function nextOpening(
  hours: readonly HoursJson[] | null,
  zone: string,
  moment: Date,
): Date | null {
  if (hours === null || isOpenAt(hours, zone, moment)) return null;
  const start = zonedAt(moment, zone);
  const openings = hours.flatMap(({ from }) =>
    Array.from({ length: DAYS_AHEAD }, (_, day) => start.toPlainDate().add({ days: day })).flatMap(
      (date) => {
        const wall = date.toPlainDateTime(from);
        return (['earlier', 'later'] as const).map((disambiguation) =>
          wall.toZonedDateTime(zone, { disambiguation }),
        );
      },
    ),
  );
  // A clock put forward can jump right into the hours, one put back into them again.
  const turn = start.getTimeZoneTransition('next');
  return (
    [...openings, ...(turn ? [turn] : [])]
      .map(({ epochMilliseconds }) => new Date(epochMilliseconds))
      .filter((at) => at > moment && isOpenAt(hours, zone, at))
      .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  );
}

/** Sentences by field for hours that say nothing, or say it twice. */
export function hoursErrors(hours: readonly HoursJson[] | null): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [at, { from, to }] of (hours ?? []).entries()) {
    if (from === to)
      errors[`hours.${at}.to`] =
        'Hours must not end when they begin. Write 00:00 to 24:00 for a whole day.';
  }
  return errors;
}

function zonedAt(moment: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
}

/** `24:00` is a day's last moment. */
function minuteOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number.parseInt(hours, 10) * 60 + Number.parseInt(minutes, 10);
}
