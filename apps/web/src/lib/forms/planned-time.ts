/** What was written in a field for a day and a time, or what is wrong with it. Pure. */
import { isTooFarAhead } from '@cambist/contract/schedule';
import { fromZoneTime } from '#lib/format/zone-time.ts';

export type PlanFault = 'missing' | 'far';

/** `at` is ISO 8601 in UTC. */
export function plannedTime(
  text: string,
  timeZone: string,
  now: Date,
): { readonly at: string } | { readonly fault: PlanFault } {
  const at = fromZoneTime(text, timeZone);
  if (at === '') return { fault: 'missing' };
  return isTooFarAhead(new Date(at), now) ? { fault: 'far' } : { at };
}
