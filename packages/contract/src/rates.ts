/** The synchronisation of rates, as admins see it: providers, runs, accepted rates. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { cadences, rateFailures, RateKey, rateProviders } from './rate-settings.ts';
import { Cursor, cursorQuery, Id, nullable, One, Rate, Strict, Time } from './wire.ts';

const Provider = Type.Enum(rateProviders);
/** In stored rows, which may have a former provider. */
export const StoredProvider = Type.String();
const Unit = Type.String({ pattern: '^[A-Z0-9]{2,12}$' });

/** `rate` is units of `unit` for one `base`, or the inverse where `inverted`. */
export const edge = { unit: Unit, base: Unit, rate: Rate, inverted: Type.Boolean() };

/**
 * The outcome of a provider in a run: `ok`, a `RateFailure`, or why it was skipped. `cadence`: not due by
 * the settings. `breaker_open`: it failed repeatedly. `no_key`: without a usable key.
 * `retry_later`: it asked for a pause. `out_of_time`: the run had no time left.
 */
export const attemptOutcomes = [
  'ok',
  'cadence',
  'breaker_open',
  'no_key',
  'retry_later',
  'out_of_time',
  ...rateFailures,
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Why a rate was rejected. `rejected_before`: an admin rejected it, or a similar rate, within a day. */
export const rejectionReasons = [
  'not_a_rate',
  'base_not_one',
  'from_the_future',
  'too_old',
  'older_than_last',
  'inconsistent',
  'rejected_before',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** `partial`: a needed unit is missing or waits for an admin, or a provider failed or gave no usable rate. */
export const rateRunOutcomes = ['updated', 'partial', 'unchanged', 'failed', 'skipped'] as const;
export type RateRunOutcome = (typeof rateRunOutcomes)[number];

/** By the time of the last run that confirmed it, and by the provider's own time. */
const ageStates = ['live', 'delayed', 'stale'] as const;

export const RateAttempt = Type.Object({
  provider: StoredProvider,
  label: Type.String(),
  outcome: Type.Enum(attemptOutcomes),
  message: Type.String(),
  /** The provider's message, shortened and without the key; may be empty. */
  detail: Type.String(),
  duration_ms: Type.Integer(),
  /** The number of usable rates. */
  rates: Type.Integer(),
  /** It answered without any usable rate of the requested units. */
  gave_none: Type.Boolean(),
});
export type RateAttempt = Static<typeof RateAttempt>;

export const RateRejection = Type.Object({
  unit: Type.String(),
  provider: StoredProvider,
  reason: Type.Enum(rejectionReasons),
  /** A sentence with the figures. */
  message: Type.String(),
});
export type RateRejection = Static<typeof RateRejection>;

export const RateRun = Type.Object({
  id: Id,
  trigger: Type.Enum(['schedule', 'admin'] as const),
  /** The admin's name; null for the schedule and for a deleted user. */
  actor: nullable(Type.String()),
  started_at: Time,
  /** Null while it runs. */
  finished_at: nullable(Time),
  outcome: nullable(Type.Enum(rateRunOutcomes)),
  /** A sentence, where the run itself failed. */
  reason: nullable(Type.String()),
  attempts: Type.Array(RateAttempt),
  /** Units whose rate was accepted, new or confirmed. */
  accepted: Type.Integer(),
  quarantined: Type.Integer(),
  rejected: Type.Integer(),
  rejections: Type.Array(RateRejection),
  /** Units that automatic pairs and formulas need and that have no accepted rate from this run. */
  missing: Type.Array(Type.String()),
});
export type RateRun = Static<typeof RateRun>;

const RateQuota = Type.Object({
  /** Requests per month by the settings; null: unknown. */
  plan: nullable(Type.Integer()),
  /** Requests at this cadence in a month of 31 days. */
  needed: Type.Integer(),
  /** Requests of this month, in UTC. */
  used: Type.Integer(),
});

export const RateProviderStatus = Type.Object({
  name: Provider,
  label: Type.String(),
  /** `refused`: the provider did not accept it. `not_needed`: a key is optional. */
  /** `unreadable`: it cannot be decrypted after a change of APP_KEY. */
  key: Type.Enum(['set', 'missing', 'refused', 'unreadable', 'not_needed'] as const),
  key_last_four: Type.String(),
  /** Null without a key. */
  key_set_at: nullable(Time),
  breaker: Type.Object({
    /** `half_open`: the next run tries it once. */
    state: Type.Enum(['closed', 'open', 'half_open'] as const),
    failures: Type.Integer(),
    open_until: nullable(Time),
  }),
  /** The last fetch with the current key, by a run or a test; null without one. */
  last_fetch: Type.Union([
    Type.Object({
      at: Time,
      by: Type.Enum(['run', 'test'] as const),
      /** `unusable`: it answered without a usable rate. */
      outcome: Type.Enum(['ok', 'unusable', ...rateFailures] as const),
      /** A sentence. */
      message: Type.String(),
    }),
    Type.Null(),
  ]),
  /** The end of the pause that it asked for; null without one. */
  retry_at: nullable(Time),
  /** The next turn by its cadence; null where it is due. */
  next_turn_at: nullable(Time),
  cadence_hours: Type.Enum(cadences),
  quota: RateQuota,
});
export type RateProviderStatus = Static<typeof RateProviderStatus>;

export const AcceptedRate = Type.Object({
  ...edge,
  provider: StoredProvider,
  as_of: Time,
  confirmed_at: Time,
  fresh_until: Time,
  state: Type.Enum(ageStates),
  /** Units in quarantine whose cross uses this rate: pairs with it give no new quotes until a decision. */
  awaits: Type.Array(Unit),
});
export type AcceptedRate = Static<typeof AcceptedRate>;

export const RatesOverview = Type.Object({
  enabled: Type.Boolean(),
  /** In the order of the settings. */
  providers: Type.Array(RateProviderStatus),
  rates: Type.Array(AcceptedRate),
  /** Units that automatic pairs and formulas need and that have no accepted rate. */
  missing: Type.Array(Type.String()),
  quarantine_waiting: Type.Integer(),
  last_run: nullable(RateRun),
  next_slot: Time,
});
export type RatesOverview = Static<typeof RatesOverview>;

export const getRatesOverview = endpoint({
  ...adminReads('money'),
  path: '/api/admin/rates',
  summary: 'Providers, accepted rates and rates in quarantine.',
  reply: One(RatesOverview),
});

export const startRateRun = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/rates/runs',
  throttle: 'run',
  summary: 'Fetches rates from the providers now and returns the run; one run at a time.',
  status: 201,
  reply: One(RateRun),
  refusals: ['rates_disabled', 'run_in_progress'],
});

export const listRateRuns = endpoint({
  ...adminReads('money'),
  path: '/api/admin/rates/runs',
  summary: 'Runs of the synchronisation, the newest first.',
  query: Strict({ ...cursorQuery }),
  reply: Cursor(RateRun),
});

export const RateTest = Type.Object({
  /** Whether a run could use any of its rates; false too for an answer (`ok`) without a usable one. */
  ok: Type.Boolean(),
  outcome: Type.Union([
    Type.Literal('ok'),
    Type.Literal('no_key'),
    Type.Literal('retry_later'),
    Type.Enum(rateFailures),
  ]),
  message: Type.String(),
  /** The provider's message, shortened and without the key. */
  detail: Type.String(),
});
export type RateTest = Static<typeof RateTest>;

/** Stores neither rates nor key. Counts as a request; a success with the stored key closes the breaker. */
export const testRateProvider = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/rates/providers/{provider}/test',
  throttle: 'email',
  summary: 'Fetches from one provider now, with the stored key or the given one, to test it.',
  params: Strict({ provider: Provider }),
  body: Strict({
    key: Type.Optional(RateKey),
  }),
  reply: One(RateTest),
});

/** Counts for the console, which polls them. */
export const RatesStatus = Type.Object({
  quarantine_waiting: Type.Integer(),
  /** Needed rates that are older than expected. */
  delayed: Type.Integer(),
  stale: Type.Integer(),
});
export type RatesStatus = Static<typeof RatesStatus>;

export const getRatesStatus = endpoint({
  ...adminReads('money'),
  path: '/api/admin/rates/status',
  summary: 'How many rates wait for an admin, or are too old because the synchronisation fails.',
  reply: One(RatesStatus),
});
