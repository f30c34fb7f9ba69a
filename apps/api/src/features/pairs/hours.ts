/**
 * Pure: working hours in the desk's time zone. On the days of a clock change a skipped hour opens
 * nothing, and a repeated hour counts twice.
 */
import type { HoursJson } from '#platform/db/json-columns.ts';

/** A week and a day, and another week in case a clock change skips the opening. */
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

/** Null where it is open, or never opens. */
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
  // A clock change itself can be an opening.
  const turn = start.getTimeZoneTransition('next');
  return (
    [...openings, ...(turn ? [turn] : [])]
      .map(({ epochMilliseconds }) => new Date(epochMilliseconds))
      .filter((at) => at > moment && isOpenAt(hours, zone, at))
      .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  );
}

/** Sentences by field. */
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

function minuteOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number.parseInt(hours, 10) * 60 + Number.parseInt(minutes, 10);
}
