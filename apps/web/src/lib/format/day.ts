/** Calendar days such as `2026-11-20`, and the days of the week. Pure. */
import { dateFormat } from './intl.ts';

/** Undefined for a day that does not exist, such as 30 February. */
export function readDay(value: string | null): string | undefined {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
}

/** Whether the first day is after the last. */
export function datesCross(span: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): boolean {
  // ISO days sort as text.
  return span.from !== undefined && span.to !== undefined && span.from > span.to;
}

/** The days of the week in a language, Monday first: 1 January 2024 was a Monday. */
export function dayNames(locale: string, style: 'long' | 'short'): string[] {
  const format = dateFormat(locale, { weekday: style, timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 7].map((day) => format.format(new Date(Date.UTC(2024, 0, day))));
}

/** `Mon–Fri`, `Mon, Wed, Sat`: three or more in a row as a range. */
export function dayRanges(days: readonly number[], locale: string): string {
  const names = dayNames(locale, 'short');
  const runs: [number, number][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && day === last[1] + 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs
    .flatMap(([first, last]) =>
      last - first > 1 ? `${names[first - 1]}–${names[last - 1]}` : names.slice(first - 1, last),
    )
    .join(', ');
}
