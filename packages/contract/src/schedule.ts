/** How far ahead a publication or a campaign can be planned. */
import { Type } from 'typebox';

/** Beyond them a year is a slip of the keyboard, and what is planned would never happen. */
export const yearsAhead = 5;

/** The bounds for each moment are those of `isTooFarAhead`; these hold whatever the clock says. */
export const PlannedTime = Type.String({
  format: 'date-time',
  pattern: '^(19|20)[0-9]{2}-',
  description: 'ISO 8601, UTC, of the years 1900 to 2099',
});

export function isTooFarAhead(at: Date, now: Date): boolean {
  const last = new Date(now);
  last.setUTCFullYear(last.getUTCFullYear() + yearsAhead);
  return at > last;
}
