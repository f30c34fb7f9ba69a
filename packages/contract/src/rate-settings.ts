/** The settings of the rate synchronisation: providers and limits. */
import { Type, type Static } from 'typebox';
import { Strict } from './wire.ts';

export const rateProviders = [
  'exchangerate-api',
  'openexchangerates',
  'currencylayer',
  'exchangerate-host',
  'fixer',
  'frankfurter',
  'currencyapi',
  'coingecko',
] as const;
export type RateProviderName = (typeof rateProviders)[number];

/** How often a provider updates its rates, which bounds their age. */
export const rateFeeds = ['hourly', 'daily', 'central_bank'] as const;
export type RateFeed = (typeof rateFeeds)[number];

/** Each provider's free plan: requests per month (null: unlimited) and feed. */
export const freePlans: Readonly<
  Record<RateProviderName, { readonly requests: number | null; readonly feed: RateFeed }>
> = {
  'exchangerate-api': { requests: 1500, feed: 'daily' },
  openexchangerates: { requests: 1000, feed: 'hourly' },
  currencylayer: { requests: 100, feed: 'daily' },
  'exchangerate-host': { requests: 100, feed: 'daily' },
  fixer: { requests: 100, feed: 'daily' },
  frankfurter: { requests: null, feed: 'central_bank' },
  currencyapi: { requests: 300, feed: 'daily' },
  coingecko: { requests: 10_000, feed: 'hourly' },
};

/** Frankfurter has no keys. */
export const keyedProviders: readonly RateProviderName[] = rateProviders.filter(
  (name) => name !== 'frankfurter',
);

/** Characters that need no escaping in a header or URL; the longest real key has 64. */
export const RateKey = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' });

/** Hours between two requests; each divides a day. */
export const cadences = [1, 2, 3, 4, 6, 8, 12, 24] as const;
export type Cadence = (typeof cadences)[number];

/** Requests in the longest month. */
export function requestsAMonth(cadence: Cadence): number {
  return (24 / cadence) * 31;
}

/** The most frequent cadence within the plan; null without one. */
export function cadenceFor(plan: number): Cadence | null {
  return cadences.find((cadence) => requestsAMonth(cadence) <= plan) ?? null;
}

export const rateFailures = [
  'invalid_key',
  'quota_exceeded',
  'plan_restricted',
  'unsupported_currency',
  'rate_limited',
  'unavailable',
  'malformed',
] as const;
export type RateFailure = (typeof rateFailures)[number];

/** At most 50, so that half or double the price always needs an admin. */
const JumpPercent = Type.String({
  pattern: '^(?=.*[1-9])(50(\\.0{1,6})?|[1-4]?[0-9](\\.[0-9]{1,6})?)$',
  maxLength: 9,
});

/** Their keys are secrets of this slug: `exchangerate_api_key` and so on. */
export const RateApi = Strict({
  /** Whether the hourly synchronisation runs at all. */
  enabled: Type.Boolean(),
  /** In order: each further one is asked for missing units. */
  providers: Type.Array(
    Strict({
      name: Type.Enum(rateProviders),
      feed: Type.Enum(rateFeeds),
      /** Requests that the plan allows in a month; null: no limit is known. */
      monthly_quota: Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), Type.Null()]),
      /** Hours between two requests, for plans with few requests. */
      cadence_hours: Type.Enum(cadences),
    }),
    { maxItems: rateProviders.length },
  ),
  /** A rate that moves by more since the last accepted one waits for an admin. */
  jump_percent: JumpPercent,
  /** Likewise one that is further away from the rate of a day ago. */
  day_percent: JumpPercent,
  /** Minutes since the last run that confirmed a rate. */
  delayed_minutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
  stale_minutes: Type.Integer({ minimum: 1, maximum: 43_200 }),
  /** The longest lock of a quote while its rate is delayed. */
  delayed_lock_minutes: Type.Integer({ minimum: 1, maximum: 240 }),
  /** Hours since the provider's own time, by kind of feed. */
  max_age_hours: Strict({
    hourly: Type.Integer({ minimum: 1, maximum: 720 }),
    daily: Type.Integer({ minimum: 1, maximum: 720 }),
    central_bank: Type.Integer({ minimum: 1, maximum: 720 }),
  }),
});
export type RateApi = Static<typeof RateApi>;

/** The name of a provider's key among the secrets of `rate-api`. */
export function rateKeyName(provider: RateProviderName): string {
  return `${provider.replaceAll('-', '_')}_key`;
}
