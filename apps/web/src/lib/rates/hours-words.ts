/** Working hours as text: `Mon–Fri 09:00–18:00; Sat 10:00–14:00`. */
import { dayRanges } from '#lib/format/day.ts';
import { m } from '#lib/paraglide/messages.js';

interface Hours {
  /** Monday is 1. */
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

export function hoursInWords(hours: readonly Hours[], locale: string): string {
  return hours
    .map(({ days, from, to }) =>
      m.pairs_hours_short({
        days: dayRanges(days, locale),
        from,
        // Time fields have no 24:00.
        to: to === '00:00' ? '24:00' : to,
      }),
    )
    .join('; ');
}
