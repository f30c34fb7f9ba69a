/** Pure: whether a provider's plan lasts for a month of its turns. */
import { cadenceFor, requestsAMonth, type RateApi } from '@cambist/contract/rate-settings';
import type { RateQuota } from '@cambist/contract/rates';

/** `used`: requests of this month. */
export function quotaOf(
  { monthly_quota: plan, cadence_hours }: RateApi['providers'][number],
  used: number,
): RateQuota {
  const needed = requestsAMonth(cadence_hours);
  return {
    plan,
    cadence_hours,
    needed,
    used,
    enough: plan === null || plan >= needed,
    fitting_hours: plan === null ? null : cadenceFor(plan),
  };
}
