-- What providers say of rates, what of it is believed, and what each run came to.

-- The last rate that was accepted for a unit, as its provider gave it.
create table market_rates (
  unit text primary key check (unit ~ '^[A-Z0-9]{2,12}$'),
  base text not null check (base ~ '^[A-Z0-9]{2,12}$' and base <> unit),
  -- Units of `unit` for one of `base`; the other way round where it is inverted.
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null default false,
  provider text not null,
  -- The provider's own time, and when a run last heard this rate from it.
  as_of timestamptz not null,
  confirmed_at timestamptz not null,
  -- From then on the provider's own time is longer ago than its kind of feed allows.
  fresh_until timestamptz not null
);

create table rate_runs (
  id uuid primary key,
  trigger text not null check (trigger in ('schedule', 'admin')),
  actor_id uuid,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text check (outcome in ('updated', 'partial', 'unchanged', 'failed', 'skipped')),
  -- What was asked of whom and what became of it; never a key.
  attempts jsonb not null default '[]',
  accepted integer not null default 0,
  quarantined integer not null default 0,
  refused integer not null default 0,
  -- Which rates were not believed, and why.
  refusals jsonb not null default '[]',
  missing text[] not null default '{}'
);
create index rate_runs_started on rate_runs (started_at desc, id desc);
-- One run at a time, whichever process begins it: the unfinished row is the right to ask.
create unique index rate_runs_unfinished on rate_runs ((true)) where finished_at is null;

-- What a provider's circuit breaker and quota remember.
create table rate_provider_states (
  provider text primary key,
  failures integer not null default 0,
  open_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  -- It has nothing new before this, of the units that it was asked for last.
  next_update_at timestamptz,
  units text[] not null default '{}',
  -- Requests of this month, in UTC: `2026-11`.
  month text not null default '',
  requests integer not null default 0
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
  previous_rate numeric(60, 18) not null,
  change_percent numeric(30, 6) not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- Withdrawn: a later run brought a rate that is no jump.
  decision text check (decision in ('accepted', 'refused', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz
);
create unique index rate_quarantine_waiting on rate_quarantine (unit) where decision is null;
create index rate_quarantine_created on rate_quarantine (created_at desc, id desc);

-- Who asked for a run of a task by hand; null for the schedule.
alter table task_runs add column asked_by uuid;

-- Pairs: where the mid rate comes from, and all that a price may be made of.
alter table pairs drop constraint pairs_rate_mode_check;
alter table pairs
  add constraint pairs_rate_mode_check check (rate_mode in ('automatic', 'manual', 'formula')),
  -- `btc/usd * 1.01 + 5`: units of the market, numbers, + - * / and parentheses.
  add column formula text,
  add column margin_absolute numeric(60, 18) not null default 0,
  -- The customer's rate must lie between them, or the pair is not offered.
  add column rate_min numeric(60, 18) check (rate_min > 0),
  add column rate_max numeric(60, 18) check (rate_max >= rate_min),
  -- [{"from": "100000" (minor units, text), "margin_percent": "0.5"}], ascending.
  add column tiers jsonb not null default '[]',
  add column send_fee_min numeric(48, 0) check (send_fee_min >= 0),
  add column send_fee_max numeric(48, 0) check (send_fee_max >= coalesce(send_fee_min, 0)),
  add column receive_fee_min numeric(48, 0) check (receive_fee_min >= 0),
  add column receive_fee_max numeric(48, 0) check (receive_fee_max >= coalesce(receive_fee_min, 0)),
  -- The payout is a multiple of this, in minor units.
  add column payout_step numeric(48, 0) check (payout_step > 0),
  -- [{"days": [1, 2], "from": "09:00", "to": "18:00"}] in the desk's time zone; null: always.
  add column hours jsonb,
  -- A manual rate ends here; null: never.
  add column mid_until timestamptz,
  -- When a run last heard what the mid rate is made of; null for a manual one.
  add column mid_confirmed_at timestamptz,
  -- From then on the provider's own time is too long ago; null for a manual one.
  add column mid_fresh_until timestamptz,
  add constraint pairs_formula_check check ((rate_mode = 'formula') = (formula is not null));

-- The other part of the margin that an exchange was made with.
alter table exchanges add column margin_absolute numeric(60, 18) not null default 0;
-- What a payout step cuts off is neither fee nor payout: it stays in the gross.
alter table exchanges
  drop constraint exchanges_check,
  add constraint exchanges_payout_check check (payout_minor <= gross_minor - receive_fee_minor);
