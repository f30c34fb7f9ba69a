/** Lengths of time as a person says them. Pure. */

const units = [
  { unit: 'day', minutes: 1_440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const;

/** `90` minutes, `2 hours`, `3 days`: in the largest unit that needs no fraction. */
export function spanInWords(minutes: number, locale: string): string {
  const { unit, minutes: size } =
    units.find((each) => minutes > 0 && minutes % each.minutes === 0) ?? units[2];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    minutes / size,
  );
}
