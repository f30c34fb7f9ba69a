/** What waits for an admin, and how it is said again in a run whose provider says nothing of it. */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import type { RateApi } from '@cambist/contract/rate-settings';
import type { Heard } from './law.ts';
import type { GivenRate } from './provider.ts';
import { labelOf } from './providers.ts';

/** A rate that waits for an admin. */
export interface Claim extends GivenRate {
  readonly provider: string;
  readonly reason: QuarantineReason;
  readonly seenAt: Date;
}

/** What these said before, each provider's together: its rate of a base and what it gives in that base are one word. */
export function heardBefore(
  claims: readonly Claim[],
  listed: RateApi['providers'],
  now: Date,
): Heard[] {
  return listed.flatMap(({ name, feed }) => {
    const own = claims.filter(({ provider }) => provider === name);
    const rates = own.map((claim) => ({ ...claim, heardAt: claim.seenAt }));
    if (rates.length === 0) return [];
    return [{ provider: name, label: labelOf(name), feed, rates, heardAt: now }];
  });
}
