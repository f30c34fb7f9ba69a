const formats = new Map<string, Intl.DateTimeFormat>();

/** `21 November 2026, 14:05 UTC`, for emails. */
export function spokenTime(at: Date, timeZone: string): string {
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
  // Making one takes longer than all else of an email.
  if (known === undefined) formats.set(timeZone, format);
  return format.format(at).replace(' at ', ', ');
}
