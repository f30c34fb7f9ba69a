/** The synchronisation of rates, as admins see it: providers, runs, believed rates. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { cadences, rateFailures, rateFeeds, RateKey, rateProviders } from './rate-settings.ts';
import { attemptOutcomes, rateRunOutcomes, refusalReasons } from './rate-outcomes.ts';
import { Cursor, cursorQuery, Id, One, Rate, Strict, Time } from './wire.ts';

const nullableTime = Type.Union([Time, Type.Null()]);
const nullableString = Type.Union([Type.String(), Type.Null()]);
const nullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const Provider = Type.Enum(rateProviders);
/** In rows that are kept: a later version may not know one that an earlier one asked. */
export const KeptProvider = Type.String();
const Unit = Type.String({ pattern: '^[A-Z0-9]{2,12}$' });

/** A `rate` in units of `unit` for one of `base`; the other way round where it is inverted. */
export const edge = { unit: Unit, base: Unit, rate: Rate, inverted: Type.Boolean() };

/** By the minutes since a run last heard it, and by the provider's own time. */
export const believedStates = ['live', 'delayed', 'stale'] as const;

export const RateAttempt = Type.Object({
  provider: KeptProvider,
  label: Type.String(),
  outcome: Type.Enum(attemptOutcomes),
  /** In our words. */
  message: Type.String(),
  /** In the provider's own words, cut and without the key; empty where it said nothing. */
  detail: Type.String(),
  duration_ms: Type.Integer(),
  /** How many sound rates it gave. */
  rates: Type.Integer(),
  /** Whether it answered without one of what it was asked for; false also where that was nothing. */
  gave_none: Type.Boolean(),
});
export type RateAttempt = Static<typeof RateAttempt>;

export const RateRefusal = Type.Object({
  unit: Type.String(),
  provider: KeptProvider,
  reason: Type.Enum(refusalReasons),
  /** A sentence with the figures, and one more on what stands instead. */
  message: Type.String(),
  /**
   * Whose rate is believed in its place, be it another one of the same provider; null where none is,
   * and in runs from before this was kept, where the message says it.
   */
  instead: Type.Union([KeptProvider, Type.Null()]),
});
export type RateRefusal = Static<typeof RateRefusal>;

export const RateRun = Type.Object({
  id: Id,
  trigger: Type.Enum(['schedule', 'admin'] as const),
  /** The admin's name; null for the schedule and for someone who is gone. */
  actor: nullableString,
  started_at: Time,
  /** Null while it runs. */
  finished_at: nullableTime,
  outcome: Type.Union([Type.Enum(rateRunOutcomes), Type.Null()]),
  /** A sentence, where the run itself broke off: `failed`, whatever its attempts were. */
  reason: nullableString,
  attempts: Type.Array(RateAttempt),
  /** Units whose rate was believed, new or confirmed. */
  accepted: Type.Integer(),
  quarantined: Type.Integer(),
  /** Also of figures in whose place another provider's is believed, which say so. */
  refused: Type.Integer(),
  /** And what a provider left out that gave it lately, which the count has not. */
  refusals: Type.Array(RateRefusal),
  /** Units that automatic pairs and formulas need and nobody gave in this run. */
  missing: Type.Array(Type.String()),
});
export type RateRun = Static<typeof RateRun>;

export const RateQuota = Type.Object({
  /** What the plan allows in a month, as the settings say; null: no limit is known. */
  plan: nullableInteger,
  cadence_hours: Type.Enum(cadences),
  /** One request in so many hours, in a month of 31 days. */
  needed: Type.Integer(),
  /** Requests of this month, in UTC. */
  used: Type.Integer(),
  /** Whether the plan is enough for the month; true where no limit is known. */
  enough: Type.Boolean(),
  /** The most frequent cadence for which it is; null where none is, or no limit is known. */
  fitting_hours: Type.Union([Type.Enum(cadences), Type.Null()]),
});
export type RateQuota = Static<typeof RateQuota>;

export const RateProviderNote = Type.Object({
  name: Provider,
  label: Type.String(),
  feed: Type.Enum(rateFeeds),
  /** `refused`: the provider did not accept it. `not_needed`: it works without; one may be set. */
  /** `unreadable`: it was sealed with another APP_KEY and does not open. */
  key: Type.Enum(['set', 'missing', 'refused', 'unreadable', 'not_needed'] as const),
  key_last_four: Type.String(),
  /** Null where none is. */
  key_set_at: nullableTime,
  breaker: Type.Object({
    /** `half_open`: the next run tries it once. */
    state: Type.Enum(['closed', 'open', 'half_open'] as const),
    failures: Type.Integer(),
    open_until: nullableTime,
  }),
  last_success_at: nullableTime,
  /**
   * What it said last, be it to a run or to a test of the stored key; null where that is not known,
   * and where its key was set since.
   */
  last_answer: Type.Union([
    Type.Object({
      /** When the asking began. */
      at: Time,
      to: Type.Enum(['run', 'test'] as const),
      /** `unusable`: it answered, and nothing of that can be believed. */
      outcome: Type.Enum(['ok', 'unusable', ...rateFailures] as const),
      /** Why it is not `ok`: sentences; null where it is. */
      message: nullableString,
    }),
    Type.Null(),
  ]),
  /**
   * Why nothing of its last answer, to a run or to a test of the stored key, can be believed:
   * sentences; null where something can, where that answer was a failure, and where its key was set since.
   */
  unusable: nullableString,
  /** Whether it failed when it was asked last, by a run or a test of the stored key, and no new key came since. */
  failing: Type.Boolean(),
  /** Of runs. Both null where it never failed, and once it has answered since, be it a run or a test of the stored key, and with a new key. */
  last_failure_at: nullableTime,
  last_failure: Type.Union([
    Type.Object({ code: Type.Enum(rateFailures), message: Type.String() }),
    Type.Null(),
  ]),
  /**
   * It has nothing new before this; null where it did not say, once the time has come, and where that keeps no run
   * from asking it: after a failure, with a new key or currency, or where nothing of its last answer stands.
   */
  next_update_at: nullableTime,
  /** It asked not to be asked before; null where it did not, and once the time has come. */
  retry_at: nullableTime,
  /** By the settings it is not its turn before; null where it is. */
  next_turn_at: nullableTime,
  quota: RateQuota,
});
export type RateProviderNote = Static<typeof RateProviderNote>;

export const BelievedRate = Type.Object({
  ...edge,
  provider: KeptProvider,
  as_of: Time,
  confirmed_at: Time,
  fresh_until: Time,
  age_minutes: Type.Integer(),
  state: Type.Enum(believedStates),
  /** Units whose jump waits for a yes or no and puts it in doubt: no price is made of it until then. */
  awaits: Type.Array(Unit),
  /**
   * Why the latest run did not replace it, or what became of the rate of an earlier provider in whose
   * place it stands: a sentence; null where there is nothing to say.
   */
  note: nullableString,
});
export type BelievedRate = Static<typeof BelievedRate>;

export const RatesOverview = Type.Object({
  enabled: Type.Boolean(),
  /** In the order in which they are asked. */
  providers: Type.Array(RateProviderNote),
  rates: Type.Array(BelievedRate),
  /** Units that automatic pairs and formulas need and of which nothing is believed. */
  missing: Type.Array(Type.String()),
  quarantine_waiting: Type.Integer(),
  last_run: Type.Union([RateRun, Type.Null()]),
  next_slot: Time,
  server_time: Time,
});
export type RatesOverview = Static<typeof RatesOverview>;

export const getRatesOverview = endpoint({
  method: 'GET',
  path: '/api/admin/rates',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'Providers, believed rates and what waits for a decision.',
  status: 200,
  reply: One(RatesOverview),
});

export const startRateRun = endpoint({
  method: 'POST',
  path: '/api/admin/rates/runs',
  scope: 'admin',
  permission: 'money',
  throttle: 'run',
  summary: 'Asks the providers now and answers what became of it; one run at a time.',
  status: 201,
  reply: One(RateRun),
  refusals: ['rates_disabled', 'run_in_progress'],
});

export const listRateRuns = endpoint({
  method: 'GET',
  path: '/api/admin/rates/runs',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'Runs of the synchronisation, the newest first.',
  status: 200,
  query: Strict({ ...cursorQuery }),
  reply: Cursor(RateRun),
});

export const RateTest = Type.Object({
  /** Whether a run could believe any of its rates; also false where the `outcome` is `ok` and it could not. */
  ok: Type.Boolean(),
  outcome: Type.Union([
    Type.Literal('ok'),
    Type.Literal('no_key'),
    Type.Literal('retry_later'),
    Type.Enum(rateFailures),
  ]),
  /** In our words. */
  message: Type.String(),
  /** In the provider's own words, cut and without the key. */
  detail: Type.String(),
  duration_ms: Type.Integer(),
  rates: Type.Integer(),
  /** The provider's own time of its oldest figure. */
  as_of: nullableTime,
  /** The feed that its figures fit, where they change more seldom than the settings say; else null. */
  fitting_feed: Type.Union([Type.Enum(rateFeeds), Type.Null()]),
  /** Units of the desk that it did not give, but for its own bases. */
  missing: Type.Array(Type.String()),
  /** Those of them that automatic pairs and formulas need. */
  lacking: Type.Array(Type.String()),
  /** It asks not to be asked again before. */
  retry_at: nullableTime,
  /** As `last_answer.at` tells it; null where it was not asked, and of a given key. */
  asked_at: nullableTime,
  /** The month's arithmetic; null for a provider that the settings do not name. */
  quota: Type.Union([RateQuota, Type.Null()]),
});
export type RateTest = Static<typeof RateTest>;

/** Neither rates nor key are kept. The request counts; with the stored key a success closes the breaker. */
export const testRateProvider = endpoint({
  method: 'POST',
  path: '/api/admin/rates/providers/{provider}/test',
  scope: 'admin',
  permission: 'money',
  throttle: 'letter',
  summary: 'Asks one provider now, with the stored key or the given one, and tells what it said.',
  status: 200,
  params: Strict({ provider: Provider }),
  body: Strict({
    key: Type.Optional(RateKey),
  }),
  reply: One(RateTest),
});
