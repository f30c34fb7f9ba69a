/** The days of a week in the words of a locale, Monday first. Pure. */

/** The first of January 2024 was a Monday. */
export function dayNames(locale: string, style: 'long' | 'short'): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' });
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
