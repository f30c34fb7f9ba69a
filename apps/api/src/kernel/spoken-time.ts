/** `21 November 2026, 14:05 UTC`, for emails. */
export function spokenTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
    .format(at)
    .replace(' at ', ', ');
}
