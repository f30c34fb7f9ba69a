-- Market rates: what providers report, what of it was accepted, and the outcome of each run.

-- The last rate that was accepted for a unit, as its provider gave it.
create table market_rates (
  unit text primary key check (unit ~ '^[A-Z0-9]{2,12}$'),
  base text not null check (base ~ '^[A-Z0-9]{2,12}$' and base <> unit),
  -- Units of `unit` for one of `base`; the other way round where it is inverted.
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null default false,
  provider text not null,
  -- The provider's own time, and when a run last received this rate from it.
  as_of timestamptz not null,
  confirmed_at timestamptz not null,
  -- From then on the provider's own time is longer ago than its kind of feed allows.
  fresh_until timestamptz not null,
  -- The units whose jump waits for an admin's yes or no, and which this rate connects.
  awaits text[] not null default '{}'
);

-- Accepted rates of a day and a little more: a rate that creeps in steps, none of them a jump, is
-- compared with the rate of a day ago.
create table market_past (
  unit text not null,
  believed_at timestamptz not null,
  base text not null check (base <> unit),
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null,
  primary key (unit, believed_at)
);

-- The newest time of each provider that was ever accepted: an older rate of it never is again.
create table market_newest (
  provider text not null,
  unit text not null,
  as_of timestamptz not null,
  primary key (provider, unit)
);

-- The jumps that wait for a yes or no. Rates tell the market, which stands below them and cannot read
-- `rate_quarantine`.
create table market_questions (
  unit text primary key,
  base text not null
);

create table rate_runs (
  id uuid primary key,
  trigger text not null check (trigger in ('schedule', 'admin')),
  actor_id uuid,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text check (outcome in ('updated', 'partial', 'unchanged', 'failed', 'skipped')),
  -- Why a run was cut short, as a sentence; null for all others.
  reason text,
  -- What was fetched from which provider and the result; never a key.
  attempts jsonb not null default '[]',
  accepted integer not null default 0,
  quarantined integer not null default 0,
  refused integer not null default 0,
  -- Which rates were rejected, and why.
  refusals jsonb not null default '[]',
  missing text[] not null default '{}'
);
create index rate_runs_started on rate_runs (started_at desc, id desc);
-- One run at a time, in whichever process: the unfinished row is the right to fetch.
create unique index rate_runs_unfinished on rate_runs ((true)) where finished_at is null;

-- A provider's circuit breaker, quota and cadence.
create table rate_provider_states (
  provider text primary key,
  failures integer not null default 0,
  open_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  -- When a run last began to fetch, and last sent a request, whatever came of it: a key that was set
  -- since then has not been used.
  asked_at timestamptz,
  requested_at timestamptz,
  -- By its own Retry-After: no request before.
  retry_at timestamptz,
  -- It has nothing new before this, of the units that were fetched last.
  next_update_at timestamptz,
  units text[] not null default '{}',
  -- Requests of this month, in UTC: `2026-11`.
  month text not null default '',
  requests integer not null default 0,
  -- Its last answer to a run or to a test of its stored key: when the request began, and the code of
  -- its failure, null where it succeeded.
  answer_at timestamptz,
  answer_to text check (answer_to in ('run', 'test')),
  answer_failure text,
  -- Why nothing of its last answer could be accepted; null where something could.
  unusable text,
  -- When it refused its key; null once it has accepted it since.
  refused_at timestamptz
);

-- A jump waits for an admin's yes or no; at most one of a unit waits.
create table rate_quarantine (
  id uuid primary key,
  unit text not null,
  base text not null,
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null,
  provider text not null,
  as_of timestamptz not null,
  reason text not null default 'jump'
    check (reason in ('jump', 'drift', 'contradicted', 'no_comparison')),
  -- Null without a way to compare.
  previous_rate numeric(60, 18),
  change_percent numeric(30, 6),
  -- What a yes speaks against, where that is not the previous rate: the one that it contradicts, and
  -- its provider.
  former_rate numeric(60, 18),
  contradicted_by text check (reason = 'contradicted' or contradicted_by is null),
  -- Other providers' figures of the same two units, as text in the direction of the question.
  opinions jsonb check (jsonb_typeof(opinions) = 'array'),
  -- When an email asked for the decision, and the base, figure and direction that it named.
  told_at timestamptz,
  told jsonb,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- Withdrawn: a later run brought a rate that is no jump.
  decision text check (decision in ('accepted', 'refused', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz
);
create unique index rate_quarantine_waiting on rate_quarantine (unit) where decision is null;
create index rate_quarantine_created on rate_quarantine (created_at desc, id desc);

-- The gravest state that admins were notified of; one row.
create table rate_watch (
  single boolean primary key default true check (single),
  state text not null check (state in ('live', 'delayed', 'stale')),
  changed_at timestamptz not null
);
