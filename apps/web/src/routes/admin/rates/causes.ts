/** Pure: what was refused or left out in a run, by its cause, so that forty units of one fill one line. */
import type { RefusalReason } from '@cambist/contract/rate-outcomes';
import type { RateRefusal } from '@cambist/contract/rates';
import { m } from '#lib/paraglide/messages.js';
import { providerName } from '#lib/rates/provider-name.ts';
import { MOST_NAMED, someOf } from './words.ts';

type Told = (inputs: { provider: string; count: number; units: string }) => string;

const causes: Readonly<Record<RefusalReason, Told>> = {
  not_a_rate: m.sync_cause_not_a_rate,
  inverse_too_small: m.sync_cause_inverse_too_small,
  base_not_one: m.sync_cause_base_not_one,
  from_the_future: m.sync_cause_from_the_future,
  too_old: m.sync_cause_too_old,
  older_than_last: m.sync_cause_older_than_last,
  inconsistent: m.sync_cause_inconsistent,
  contradicted: m.sync_cause_contradicted,
  refused_before: m.sync_cause_refused_before,
  base_waits: m.sync_cause_base_waits,
  unconnected: m.sync_cause_unconnected,
  left_out: m.sync_cause_left_out,
};

/** A sentence for each cause, in the order of their first units; of a single unit its own, with the figures. */
export function causesOf(refusals: readonly RateRefusal[]): string[] {
  const groups = Object.values(
    Object.groupBy(refusals, ({ provider, reason, instead }) =>
      [provider, reason, instead].join(' '),
    ),
  );
  return groups.flatMap((group = []) => {
    const [first] = group;
    if (first === undefined) return [];
    const units = [...new Set(group.map(({ unit }) => unit))];
    return units.length === 1 ? [first.message] : [causeOf(first, units)];
  });
}

function causeOf({ provider, reason, instead }: RateRefusal, units: readonly string[]): string {
  const named = someOf(units, MOST_NAMED);
  const cause = causes[reason]({
    provider: providerName(provider),
    count: units.length,
    units: named,
  });
  return [cause, ...insteadTold(provider, instead)].join(' ');
}

function insteadTold(provider: string, instead: string | null): string[] {
  if (instead === null) return [];
  if (instead === provider) return [m.sync_cause_own()];
  return [m.sync_cause_instead({ provider: providerName(instead) })];
}
