/** Durations and relative times in words and figures. */
import { numberFormat, relativeTimeFormat } from './intl.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
];

interface Options {
  readonly style?: Intl.RelativeTimeFormatStyle;
  /** For a time in the future. Without it a past time is never shown as future because a clock is slow. */
  readonly coming?: boolean;
}

/** "4 minutes ago", or "in 2 hours" with `coming`; under ten seconds is "now". */
export function relativeTime(
  at: number,
  now: number,
  locale: string,
  { style = 'long', coming = false }: Options = {},
): string {
  const format = relativeTimeFormat(locale, { numeric: 'auto', style });
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

const spans = [
  { unit: 'day', minutes: 1_440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const;

/** `90 minutes`, `2 hours`, `3 days`: in the largest unit that needs no fraction. */
export function spanInWords(minutes: number, locale: string): string {
  const { unit, minutes: size } =
    spans.find((each) => minutes > 0 && minutes % each.minutes === 0) ?? spans[2];
  return inUnit(minutes / size, unit, locale);
}

/** Up to 90 seconds or 90 minutes in that unit, beyond in hours, rounded up. */
export function waitInWords(seconds: number, locale: string): string {
  if (seconds <= 90) return inUnit(seconds, 'second', locale);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return inUnit(minutes, 'minute', locale);
  return inUnit(Math.ceil(minutes / 60), 'hour', locale);
}

/** `48 min`, `2.1 hr`, `3.5 days`. */
export function shortSpan(seconds: number, locale: string): string {
  const { unit, minutes } = spans.find(({ minutes }) => seconds >= 90 * minutes) ?? spans[2];
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return numberFormat(locale, style).format(seconds / 60 / minutes);
}

function inUnit(value: number, unit: string, locale: string): string {
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
