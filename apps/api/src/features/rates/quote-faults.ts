/** Pure: the faults of a single quote. */
import type { RateApi } from '@cambist/contract/rate-settings';
import type { RateRejection, RejectionReason } from '@cambist/contract/rates';
import { parseDecimal } from '@cambist/money/decimal';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { NewestTime } from '#features/rates/market/cross.ts';
import type { ProviderAnswer } from './acceptance.ts';
import { hasNoInverse } from './comparison.ts';
import type { Quote } from './providers/provider.ts';

export interface QuoteLimits {
  readonly now: Date;
  /** A rate must not be older than the provider's last accepted one of the unit. */
  readonly newest: readonly NewestTime[];
  readonly limits: Pick<RateApi, 'max_age_hours'>;
}

/** Clocks differ by a little. */
const AHEAD_MS = 5 * MINUTE;

/** `wrongBases`: bases whose rate in terms of themselves is not 1. */
export function findFault(
  { provider, label, feed }: Pick<ProviderAnswer, 'provider' | 'label' | 'feed'>,
  { unit, base, rate, asOf }: Quote,
  wrongBases: ReadonlySet<string>,
  { now, newest, limits }: QuoteLimits,
): RateRejection | null {
  const fault = (reason: RejectionReason, message: string) => ({ unit, provider, reason, message });
  if (wrongBases.has(base))
    return fault('base_not_one', `${label} gave a rate for ${base} in ${base} that is not 1.`);
  const invalid = invalidRate(rate);
  if (invalid !== null) return fault('not_a_rate', `${label} gave ${invalid} for ${unit}.`);
  if (Number.isNaN(asOf.getTime()))
    return fault('not_a_rate', `${label} gave ${unit} without a time that can be read.`);
  const ageMs = now.getTime() - asOf.getTime();
  if (ageMs < -AHEAD_MS)
    return fault('from_the_future', `${label} dates its rate of ${unit} ahead, ${utc(asOf)}.`);
  const hours = limits.max_age_hours[feed];
  if (ageMs > hours * HOUR)
    return fault(
      'too_old',
      `The rate of ${unit} from ${label} is of ${utc(asOf)}, older than ${hours} hours.`,
    );
  const last = newest.find((each) => each.provider === provider && each.unit === unit);
  if (last !== undefined && asOf < last.asOf)
    return fault(
      'older_than_last',
      `The rate of ${unit} from ${label} is of ${utc(asOf)}, older than its last one of ${utc(last.asOf)}.`,
    );
  return null;
}

/** The invalid rate, for a sentence; null for a positive decimal with an inverse. */
function invalidRate(rate: string): string | null {
  if (rate === 'too large' || rate === 'too small') return `a rate that is ${rate} to be stored`;
  if (rate.endsWith('…')) return `${rate}, which is too long to be stored,`;
  // No more digits than the column stores.
  if (!/^\d{1,42}(\.\d{1,18})?$/.test(rate)) return rate;
  const decimal = parseDecimal(rate);
  if (decimal.units === 0n) return '0';
  return hasNoInverse(decimal) ? `${rate}, whose inverse is too small,` : null;
}

/** `2026-11-21 08:00:30 UTC` */
function utc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
