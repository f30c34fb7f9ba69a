-- A pair is a direction: send currency to receive currency, with its price.
create table pairs (
  id uuid primary key,
  slug text not null unique,
  send_currency_id uuid not null references currencies (id),
  receive_currency_id uuid not null references currencies (id),
  rate_mode text not null default 'manual' check (rate_mode in ('manual')),
  mid_rate numeric(60, 18) check (mid_rate > 0),
  mid_source text,
  mid_as_of timestamptz,
  margin_percent numeric(12, 6) not null default 0 check (margin_percent between -50 and 50),
  rate_digits smallint not null check (rate_digits between 0 and 18),
  send_fee_fixed numeric(48, 0) not null default 0 check (send_fee_fixed >= 0),
  send_fee_percent numeric(12, 6) not null default 0 check (send_fee_percent between 0 and 50),
  receive_fee_fixed numeric(48, 0) not null default 0 check (receive_fee_fixed >= 0),
  receive_fee_percent numeric(12, 6) not null default 0 check (receive_fee_percent between 0 and 50),
  min_send numeric(48, 0) not null check (min_send > 0),
  max_send numeric(48, 0) not null check (max_send >= min_send),
  day_max_send numeric(48, 0) check (day_max_send > 0),
  month_max_send numeric(48, 0) check (month_max_send > 0),
  lock_minutes integer not null default 15 check (lock_minutes between 1 and 240),
  pay_minutes integer not null default 60 check (pay_minutes between 5 and 10080),
  evidence text not null default 'proof' check (evidence in ('proof', 'reference', 'either')),
  complete_on_approval boolean not null default false,
  active boolean not null default true,
  position integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (send_currency_id, receive_currency_id),
  check (send_currency_id <> receive_currency_id)
);
create index pairs_receive on pairs (receive_currency_id);

-- Every mid rate a pair ever had, with its source.
create table pair_rates (
  id bigint generated always as identity primary key,
  pair_id uuid not null references pairs (id),
  mid_rate numeric(60, 18) not null check (mid_rate > 0),
  source text not null,
  set_by uuid,
  as_of timestamptz not null
);
create index pair_rates_history on pair_rates (pair_id, as_of desc);
