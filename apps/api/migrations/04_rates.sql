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
  -- The units in quarantine that are priced over this rate.
  awaits text[] not null default '{}'
);

-- Accepted rates of a day and a little more: a rate that creeps in steps, none of them a jump, is
-- compared with the rate of a day ago.
create table market_past (
  unit text not null,
  accepted_at timestamptz not null,
  base text not null check (base <> unit),
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null,
  primary key (unit, accepted_at)
);

-- The newest time of each provider that was ever accepted: an older rate of it never is again.
create table market_newest (
  provider text not null,
  unit text not null,
  as_of timestamptz not null,
  primary key (provider, unit)
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
  rejected integer not null default 0,
  -- Which rates were rejected, and why.
  rejections jsonb not null default '[]',
  missing text[] not null default '{}'
);
create index rate_runs_started on rate_runs (started_at desc, id desc);
-- One run at a time, in whichever process: the unfinished row is the right to fetch.
create unique index rate_runs_unfinished on rate_runs ((true)) where finished_at is null;

-- What schedule, circuit breaker and quota remember of a provider.
create table rate_provider_states (
  provider text primary key,
  -- In a row, by scheduled runs.
  failures integer not null default 0,
  open_until timestamptz,
  -- When a run last fetched from it, whatever came of it, and when one last succeeded: equal where
  -- that was the last one.
  fetched_at timestamptz,
  last_success_at timestamptz,
  -- The last fetch with the stored key, by a run or a test.
  last_fetch_at timestamptz,
  last_fetch_by text check (last_fetch_by in ('run', 'test')),
  last_outcome text,
  last_message text not null default '',
  -- When it refused its key; null once it has accepted it since.
  key_refused_at timestamptz,
  units text[] not null default '{}',
  -- By its own Retry-After: no request before.
  retry_at timestamptz,
  -- Requests of this month, in UTC: `2026-11`.
  month text not null default '',
  requests integer not null default 0
);

-- A rate that moved too far waits for an admin; at most one of a unit waits.
create table rate_quarantine (
  id uuid primary key,
  unit text not null,
  base text not null,
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null,
  provider text not null,
  as_of timestamptz not null,
  reason text not null check (reason in ('jump', 'drift')),
  -- Null where it cannot be written with 18 decimals.
  previous_rate numeric(60, 18),
  change_percent numeric(30, 6) not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  emailed_at timestamptz,
  -- Withdrawn: a later run made the question void.
  decision text check (decision in ('accepted', 'rejected', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz
);
create unique index rate_quarantine_waiting on rate_quarantine (unit) where decision is null;
create index rate_quarantine_created on rate_quarantine (created_at desc, id desc);

-- The worst state that admins were sent an email about; one row.
create table rate_watch (
  single boolean primary key default true check (single),
  state text not null check (state in ('live', 'delayed', 'stale')),
  changed_at timestamptz not null
);
