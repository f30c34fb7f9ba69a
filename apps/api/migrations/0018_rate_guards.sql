-- What the guards of rates remember beside the last believed rate.

-- What was believed since when, for a day and a little more: a rate that creeps
-- in steps, none of them a jump, is measured against the rate of a day ago.
create table market_past (
  unit text not null,
  believed_at timestamptz not null,
  base text not null check (base <> unit),
  rate numeric(60, 18) not null check (rate > 0),
  inverted boolean not null,
  primary key (unit, believed_at)
);
insert into market_past (unit, believed_at, base, rate, inverted)
  select unit, confirmed_at, base, rate, inverted from market_rates;

-- Why a rate waits. Without a way to compare it, there is no former rate.
alter table rate_quarantine
  add column reason text not null default 'jump'
    check (reason in ('jump', 'drift', 'contradicted', 'no_comparison')),
  alter column previous_rate drop not null,
  alter column change_percent drop not null;

-- A limit of nothing stopped every rate, and one of more than 50 let halves and doubles pass.
update settings
  set value = jsonb_set(value, '{jump_percent}',
    case when (value ->> 'jump_percent')::numeric > 50 then '"50"' else '"10"' end::jsonb)
  where slug = 'rate-api'
    and ((value ->> 'jump_percent')::numeric > 50 or (value ->> 'jump_percent')::numeric = 0);
