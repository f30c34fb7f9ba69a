/** Lengths of time in words and figures. */

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
];

interface Look {
  readonly style?: Intl.RelativeTimeFormatStyle;
  /** Of what is still to come. What has been is at no time to come, though one clock be behind another. */
  readonly coming?: boolean;
}

/** "4 minutes ago", or "in 2 hours" of what is coming; under ten seconds is "now". */
export function relativeTime(
  at: number,
  now: number,
  locale: string,
  { style = 'long', coming = false }: Look = {},
): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style });
  let value = (coming ? at - now : Math.min(at - now, 0)) / 1000;
  if (Math.abs(value) < 10) return format.format(0, 'second');
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return format.format(Math.trunc(value), unit);
    value /= size;
  }
  return '';
}

/** `14:59`, or `1:04:59` from an hour up; never below zero. */
export function clockFace(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0(?=\d:)/, '');
}
