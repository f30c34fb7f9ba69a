-- A pair is a direction: send currency to receive currency, with its price.
create table pairs (
  id uuid primary key,
  slug text not null unique,
  send_currency_id uuid not null references currencies (id),
  receive_currency_id uuid not null references currencies (id)
    check (send_currency_id <> receive_currency_id),
  rate_mode text not null default 'manual' check (rate_mode in ('automatic', 'manual', 'formula')),
  -- `btc/usd * 1.01 + 5`: units of the market, numbers, + - * / and parentheses.
  formula text,
  mid_rate numeric(60, 18) check (mid_rate > 0),
  mid_source text,
  mid_as_of timestamptz,
  -- A manual rate ends here; null: never.
  mid_until timestamptz,
  -- When a run last confirmed the rates that the mid rate is made of; null for a manual one.
  mid_confirmed_at timestamptz,
  -- From then on the provider's own time is too long ago; null for a manual one.
  mid_fresh_until timestamptz,
  -- `market_rates.awaits` of all the rates that the mid rate is made of: no new quotes until decided.
  mid_awaits text[] not null default '{}',
  margin_percent numeric(12, 6) not null default 0 check (margin_percent between -50 and 50),
  margin_absolute numeric(60, 18) not null default 0,
  rate_digits smallint not null check (rate_digits between 0 and 18),
  min_send numeric(48, 0) not null check (min_send > 0),
  max_send numeric(48, 0) not null check (max_send >= min_send),
  day_max_send numeric(48, 0) check (day_max_send > 0),
  month_max_send numeric(48, 0) check (month_max_send > 0),
  -- The customer's rate must lie between them, or the pair is not offered.
  rate_min numeric(60, 18) check (rate_min > 0),
  rate_max numeric(60, 18) check (rate_max >= rate_min),
  -- [{"from": "100000" (minor units, text), "margin_percent": "0.5"}], ascending.
  tiers jsonb not null default '[]',
  send_fee_fixed numeric(48, 0) not null default 0 check (send_fee_fixed >= 0),
  send_fee_percent numeric(12, 6) not null default 0 check (send_fee_percent between 0 and 50),
  send_fee_min numeric(48, 0) check (send_fee_min >= 0),
  send_fee_max numeric(48, 0) check (send_fee_max >= coalesce(send_fee_min, 0)),
  receive_fee_fixed numeric(48, 0) not null default 0 check (receive_fee_fixed >= 0),
  receive_fee_percent numeric(12, 6) not null default 0 check (receive_fee_percent between 0 and 50),
  receive_fee_min numeric(48, 0) check (receive_fee_min >= 0),
  receive_fee_max numeric(48, 0) check (receive_fee_max >= coalesce(receive_fee_min, 0)),
  -- The payout is a multiple of this, in minor units.
  payout_step numeric(48, 0) check (payout_step > 0),
  lock_minutes integer not null default 15 check (lock_minutes between 1 and 240),
  pay_minutes integer not null default 60 check (pay_minutes between 5 and 10080),
  evidence text not null default 'proof' check (evidence in ('proof', 'reference', 'either')),
  complete_on_approval boolean not null default false,
  -- [{"days": [1, 2], "from": "09:00", "to": "18:00"}] in the desk's time zone; null: always.
  hours jsonb,
  active boolean not null default true,
  position integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (send_currency_id, receive_currency_id),
  constraint pairs_formula_check check ((rate_mode = 'formula') = (formula is not null))
);
create index pairs_receive on pairs (receive_currency_id);

-- Every mid rate a pair ever had, with its source.
create table pair_rates (
  id bigint generated always as identity primary key,
  pair_id uuid not null references pairs (id),
  mid_rate numeric(60, 18) not null check (mid_rate > 0),
  source text not null,
  set_by uuid,
  -- The provider's own time, which may go back when another provider takes over; and since when the
  -- rate is in force at this desk.
  as_of timestamptz not null,
  in_force_from timestamptz not null default clock_timestamp()
);
create index pair_rates_history on pair_rates (pair_id, in_force_from desc, id desc);
-- For the nightly thinning, which reads a stretch of time of all pairs.
create index pair_rates_in_force on pair_rates (in_force_from);

-- Customers get an email when a pair's rate, as they would get it, has reached their target.
create table rate_alerts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  pair_id uuid not null references pairs (id) on delete cascade,
  direction text not null check (direction in ('at_least', 'at_most')),
  -- Units of the receive currency for one of the send currency.
  target numeric(60, 18) not null check (target > 0),
  -- No email before this, since the address was at its limit of emails.
  postponed_until timestamptz,
  -- The next rate at or past the target sends the email; none follows.
  sent_at timestamptz,
  sent_rate numeric(60, 18) check (sent_rate > 0),
  created_at timestamptz not null default now(),
  unique (user_id, pair_id, direction, target),
  check ((sent_at is null) = (sent_rate is null))
);
-- The targets that a pair's rate has reached.
create index rate_alerts_waiting on rate_alerts (pair_id, direction, target) where sent_at is null;

-- One email to an address when an amount above the reserve can be paid out; it is deleted with that.
create table reserve_alerts (
  id uuid primary key,
  email text not null,
  locale text not null,
  pair_id uuid not null references pairs (id) on delete cascade,
  -- In the receive currency.
  amount_minor numeric(48, 0) not null check (amount_minor > 0),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  -- Of the link that confirms, then of the alert.
  ends_at timestamptz not null,
  -- No email before this, since the address was at its limit of emails.
  postponed_until timestamptz
);
create unique index reserve_alerts_once on reserve_alerts (lower(email), pair_id, amount_minor);
create index reserve_alerts_pair on reserve_alerts (pair_id);
create index reserve_alerts_ending on reserve_alerts (ends_at);
