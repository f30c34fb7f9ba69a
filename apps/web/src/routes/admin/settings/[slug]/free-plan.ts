/**
 * Pure: fills a provider's row with its free plan when it is chosen: how often
 * its figures change, what it allows, and the turns for which that lasts. What
 * was written of a row stays while its provider does.
 */
import { cadenceFor, freePlans, rateProviders } from '@cambist/contract/rate-settings';
import { asGroup, asRows, type GroupDraft } from '#lib/console/schema-form/draft.ts';

/** To be called with each state of a draft that began as `initial`; it changes the draft's rows. */
export function followPlans(initial: GroupDraft): (draft: GroupDraft) => void {
  const known = new Map(namesOf(initial));
  return (draft) => {
    for (const [row, name, group] of rowsOf(draft)) {
      if (known.get(row) === name) continue;
      known.set(row, name);
      const provider = rateProviders.find((each) => each === name);
      if (provider === undefined) continue;
      const { requests, feed } = freePlans[provider];
      group['feed'] = feed;
      group['monthly_quota'] = requests === null ? '' : String(requests);
      group['cadence_hours'] = String((requests === null ? null : cadenceFor(requests)) ?? 1);
    }
  };
}

function rowsOf(draft: GroupDraft) {
  return asRows(draft['providers']).map(({ row, value }) => {
    const group = asGroup(value);
    return [row, String(group['name']), group] as const;
  });
}

function namesOf(draft: GroupDraft) {
  return rowsOf(draft).map(([row, name]) => [row, name] as const);
}
