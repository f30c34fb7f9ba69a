/** The tables of rates, `04_rates.sql`. */
import type { ColumnType, Generated } from 'kysely';
import type { Decimal } from './columns.ts';

export interface MarketRatesTable {
  unit: string;
  base: string;
  /** Units of `unit` for one of `base`; the other way round where it is inverted. */
  rate: Decimal;
  inverted: Generated<boolean>;
  provider: string;
  /** The provider's own time. */
  as_of: Date;
  /** When a run last heard this rate. */
  confirmed_at: Date;
  /** From then on the provider's own time is longer ago than its kind of feed allows. */
  fresh_until: Date;
  /** The units whose jump waits for an admin's yes or no, and which this rate connects. */
  awaits: Generated<string[]>;
}

/** What was believed since when, for a day and a little more. */
export interface MarketPastTable {
  unit: string;
  believed_at: Date;
  base: string;
  rate: Decimal;
  inverted: boolean;
}

/** Of a provider and unit, whoever's rate of it stands now: the newest own time that was ever believed. */
export interface MarketNewestTable {
  provider: string;
  unit: string;
  as_of: Date;
}

/** A jump that waits for a yes or no. */
export interface MarketQuestionsTable {
  unit: string;
  base: string;
}

/** What one provider was asked in a run, and what became of it. */
export interface AttemptJson {
  provider: string;
  /** `ok`, or a failure's code. */
  outcome: string;
  /** In our words, and in the provider's own: cut, without the key. */
  message: string;
  detail: string;
  duration_ms: number;
  rates: number;
  /** Those of which it gave a sound rate: what it leaves out later is told. Absent in rows from before. */
  units?: readonly string[];
  /** Whether it answered without a sound figure of what it was asked for. Absent in rows from before. */
  gave_none?: boolean;
}

/** A rate that was not believed. */
export interface RefusalJson {
  unit: string;
  provider: string;
  reason: string;
  /** A sentence with the figures. */
  message: string;
  /** Whose rate is believed in its place. Absent where none is; in rows from before the message has it. */
  instead?: string;
}

/** What another provider says of a rate that waits. */
export interface OpinionJson {
  provider: string;
  /** In the direction of the question; null where it gave none. */
  rate: string | null;
  answered: boolean;
  heard_at: string;
  /** The provider's own time, of the oldest of what it is counted from; null without a rate. */
  as_of: string | null;
}

/** A rate of a letter. */
export interface ToldJson {
  base: string;
  rate: string;
  inverted: boolean;
}

export interface RateRunsTable {
  id: string;
  trigger: 'schedule' | 'admin';
  actor_id: string | null;
  started_at: Date;
  finished_at: Date | null;
  outcome: 'updated' | 'partial' | 'unchanged' | 'failed' | 'skipped' | null;
  /** Why it came to no end of its own. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  attempts: ColumnType<AttemptJson[], AttemptJson[] | undefined, AttemptJson[]>;
  accepted: Generated<number>;
  quarantined: Generated<number>;
  refused: Generated<number>;
  refusals: ColumnType<RefusalJson[], RefusalJson[] | undefined, RefusalJson[]>;
  missing: Generated<string[]>;
}

export interface RateProviderStatesTable {
  provider: string;
  failures: Generated<number>;
  open_until: Date | null;
  last_success_at: Date | null;
  /** When it was asked last, by a run or by a test of the stored key; null before that was kept. */
  answer_at: Date | null;
  answer_to: 'run' | 'test' | null;
  /** How it failed to answer that; null where it answered. */
  answer_failure: string | null;
  /** Why nothing of that answer can be believed; null where something can, and where it was none. */
  unusable: string | null;
  /** When it did not accept its key, whoever asked; null once it has since. */
  refused_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  next_update_at: Date | null;
  /** Those that it was asked for last. */
  units: Generated<string[]>;
  /** When a run of the schedule last began, or any that had an answer: its turns are counted from then. */
  asked_at: Date | null;
  /** When a run last asked it, with the key of that moment. */
  requested_at: Date | null;
  /** By its own Retry-After: it is not asked before. */
  retry_at: Date | null;
  /** In UTC: `2026-11`. */
  month: Generated<string>;
  requests: Generated<number>;
}

export interface RateQuarantineTable {
  id: string;
  unit: string;
  base: string;
  rate: Decimal;
  inverted: boolean;
  provider: string;
  as_of: Date;
  reason: 'jump' | 'drift' | 'contradicted' | 'no_comparison';
  /** Null where there was no way to compare it. */
  previous_rate: Decimal | null;
  /** What a yes speaks against, where that is not the previous rate. */
  former_rate: Decimal | null;
  change_percent: Decimal | null;
  /** Where that is the reason: the provider whose rate would have been believed; null in rows from before. */
  contradicted_by: string | null;
  /** Of the other providers that were heard or asked; null in rows from before. */
  opinions: OpinionJson[] | null;
  created_at: Date;
  seen_at: Date;
  decision: 'accepted' | 'refused' | 'withdrawn' | null;
  decided_by: string | null;
  decided_at: Date | null;
  /** When a letter asked for the yes or no, and to what. */
  told_at: Date | null;
  told: ToldJson | null;
}

/** The gravest state that admins were told of; one row. */
export interface RateWatchTable {
  single: Generated<boolean>;
  state: 'live' | 'delayed' | 'stale';
  changed_at: Date;
}
