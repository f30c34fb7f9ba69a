/**
 * Pure: what the form of the rate settings warns of before it is saved. A
 * provider that is asked more seldom than its rates may be old gives no price
 * between two requests; a plan may not last for the month.
 */
import {
  cadenceFor,
  cadences,
  rateFeeds,
  rateProviders,
  requestsAMonth,
  type Cadence,
  type RateProviderName,
} from '@cambist/contract/rate-settings';
import { asGroup, asRows, type GroupDraft } from '#lib/console/schema-form/draft.ts';

export type CadenceFault =
  | {
      readonly kind: 'delayed' | 'stale' | 'age';
      readonly name: RateProviderName;
      readonly hours: Cadence;
      /** Minutes; of `age` hours. */
      readonly limit: number;
    }
  | {
      readonly kind: 'quota';
      readonly name: RateProviderName;
      readonly needed: number;
      readonly plan: number;
      /** With which the plan would last; null where none does. */
      readonly fitting: Cadence | null;
    };

/** The gravest of each provider, and its quota; nothing of figures that are no numbers yet. */
export function cadenceFaults(draft: GroupDraft): CadenceFault[] {
  const delayed = wholeOf(draft['delayed_minutes']);
  const stale = wholeOf(draft['stale_minutes']);
  const ages = asGroup(draft['max_age_hours']);
  return asRows(draft['providers']).flatMap(({ value }) => {
    const row = asGroup(value);
    const name = rateProviders.find((each) => each === row['name']);
    const hours = cadences.find((each) => String(each) === row['cadence_hours']);
    const feed = rateFeeds.find((each) => each === row['feed']);
    if (name === undefined || hours === undefined || feed === undefined) return [];
    const found: CadenceFault[] = [];
    const age = wholeOf(ages[feed]);
    // An answer takes a moment, so that what lasts just as long has ended before it.
    const isOver = (limit: number | null): limit is number => limit !== null && hours * 60 >= limit;
    if (isOver(stale)) found.push({ kind: 'stale', name, hours, limit: stale });
    else if (age !== null && hours >= age) found.push({ kind: 'age', name, hours, limit: age });
    else if (isOver(delayed)) found.push({ kind: 'delayed', name, hours, limit: delayed });
    const plan = wholeOf(row['monthly_quota']);
    const needed = requestsAMonth(hours);
    if (plan !== null && plan < needed)
      found.push({ kind: 'quota', name, needed, plan, fitting: cadenceFor(plan) });
    return found;
  });
}

function wholeOf(draft: unknown): number | null {
  const text = typeof draft === 'string' ? draft.trim() : '';
  return /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : null;
}
