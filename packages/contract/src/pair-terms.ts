/** What a pair is made of: where its rate comes from, its price, limits and hours. */
import { Type, type Static } from 'typebox';
import { Amount, nullable, Percent, Rate, SignedDecimal, Strict, Time } from './wire.ts';

/** A fixed part in the side's own currency and a percentage of its amount. */
export const Fee = Strict({ fixed: Amount, percent: Percent });

/** Fixed part and percentage together, at least `min`, at most `max`. */
export const BoundedFee = Strict({
  ...Fee.properties,
  min: nullable(Amount),
  max: nullable(Amount),
});

/** An omitted bound stays; null removes it. */
export const FeeDraft = Strict({
  ...Fee.properties,
  min: Type.Optional(nullable(Amount)),
  max: Type.Optional(nullable(Amount)),
});

/** How the customer shows that they paid. */
export const evidences = ['proof', 'reference', 'either'] as const;

/** Where the mid rate comes from: the market, an admin, or a formula of the market's rates. */
export const rateModes = ['automatic', 'manual', 'formula'] as const;

/**
 * `live`: priced. `delayed`: priced, but locked for a shorter time, since no run has brought the
 * rate for a while. `stale`: too long ago, no new quotes. `closed`: outside the pair's hours.
 * `paused`: switched off, without a rate, or with a rate outside its bounds.
 */
export const rateStates = ['live', 'delayed', 'stale', 'closed', 'paused'] as const;
export type RateState = (typeof rateStates)[number];

/** A margin for the whole amount from `from` in the send currency on. */
export const MarginTier = Strict({ from: Amount, margin_percent: SignedDecimal });
export type MarginTier = Static<typeof MarginTier>;

/** In the desk's time zone. Monday is 1. Where `to` is not after `from` it is the next day's. */
export const WorkingHours = Strict({
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
  }),
  from: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM' }),
  to: Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', description: 'HH:MM' }),
});
export type WorkingHours = Static<typeof WorkingHours>;

export const nullableHours = Type.Union([
  Type.Array(WorkingHours, { minItems: 1, maxItems: 21 }),
  Type.Null(),
]);

/** Optional: omitted, a new pair gets none and a saved one keeps its own. */
const optionalSettings = {
  rate_mode: Type.Enum(rateModes),
  /** `btc/usd * 1.01 + 5`; only where the mode is `formula`. */
  formula: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]),
  /** In the receive currency, for one of the send currency; taken off after the percentage. */
  margin_absolute: SignedDecimal,
  /** The customer's rates must lie between them, or the pair is paused. */
  rate_min: nullable(Rate),
  rate_max: nullable(Rate),
  /** Ascending; no margin above the one before, so that more sent never pays out less. */
  tiers: Type.Array(MarginTier, { maxItems: 20 }),
  /** The payout is a multiple of this, in the receive currency; null: every amount. */
  payout_step: nullable(Amount),
  /** Null: always. */
  hours: nullableHours,
};

/** Price, limits and times as an admin writes them. */
export const editablePair = {
  margin_percent: SignedDecimal,
  rate_digits: Type.Integer({ minimum: 0, maximum: 18 }),
  send_fee: FeeDraft,
  receive_fee: FeeDraft,
  min_send: Amount,
  max_send: Amount,
  day_max_send: nullable(Amount),
  month_max_send: nullable(Amount),
  lock_minutes: Type.Integer({ minimum: 1, maximum: 240 }),
  pay_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
  evidence: Type.Enum(evidences),
  complete_on_approval: Type.Boolean(),
  active: Type.Boolean(),
  position: Type.Integer({ minimum: 0, maximum: 100_000 }),
  ...Type.Partial(Strict(optionalSettings)).properties,
};

/** A manual rate and its end; null or omitted: never. Both only in the mode `manual`. */
export const manualRate = {
  mid_rate: Type.Optional(nullable(Rate)),
  mid_until: Type.Optional(nullable(Time)),
};

export const midRate = {
  mid_rate: nullable(Rate),
  mid_source: nullable(Type.String()),
  /** The provider's own time; of a manual rate when it was set. */
  mid_as_of: nullable(Time),
  /** When a run last confirmed it; null for a rate that needs no confirmation. */
  mid_confirmed_at: nullable(Time),
  /** The end of the freshness by the provider's own time. */
  mid_fresh_until: nullable(Time),
  /** The end of a manual rate; null: never. */
  mid_until: nullable(Time),
};

/** Whether the pair can be quoted now. */
export const pairStatus = {
  state: Type.Enum(rateStates),
  /** One of its rates is in quarantine: `stale` until an admin decides, whatever `stale_at` says. */
  checking: Type.Boolean(),
  /** When its rate goes stale without a new one; null: never. */
  stale_at: nullable(Time),
  /** The next opening; null while it is open. */
  opens_at: nullable(Time),
};

/** What an admin reads of a pair besides its currencies and its state. */
export const pairSettings = {
  ...optionalSettings,
  ...midRate,
  margin_percent: SignedDecimal,
  rate_digits: Type.Integer(),
  send_fee: BoundedFee,
  receive_fee: BoundedFee,
  min_send: Amount,
  max_send: Amount,
  day_max_send: nullable(Amount),
  month_max_send: nullable(Amount),
  lock_minutes: Type.Integer(),
  pay_minutes: Type.Integer(),
  evidence: Type.Enum(evidences),
  complete_on_approval: Type.Boolean(),
  active: Type.Boolean(),
  position: Type.Integer(),
};

/** Of one customer over all pairs together, in `unit`; null: none. */
export const CustomerLimits = Type.Object({
  unit: Type.String(),
  day: nullable(Amount),
  month: nullable(Amount),
});
export type CustomerLimits = Static<typeof CustomerLimits>;
