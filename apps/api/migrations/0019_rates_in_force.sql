-- Since when a rate is in force at this desk, how far its history is thinned,
-- and which rates a jump has put in doubt.

-- `as_of` stays the provider's own time, which may go back when another provider takes over.
alter table pair_rates add column in_force_from timestamptz;

-- Rates came into force in the order of their numbers, none before its own time. Imported ones,
-- which nobody set, are of their own time.
update pair_rates r set in_force_from = known.at
  from (
    select id, least(now(), case when imported then as_of
      else max(as_of) over (partition by pair_id, imported order by id) end) as at
    from (
      select id, pair_id, as_of, source = 'manual' and set_by is null as imported from pair_rates
    ) as told
  ) as known
  where known.id = r.id;

alter table pair_rates
  alter column in_force_from set not null,
  alter column in_force_from set default clock_timestamp();

drop index pair_rates_history;
create index pair_rates_history on pair_rates (pair_id, in_force_from desc, id desc);
-- For the nightly thinning, which looks at a stretch of time of all pairs.
create index pair_rates_in_force on pair_rates (in_force_from);

-- Before `hourly_until` the last rate of each hour is left, before `daily_until` that of each day.
create table pair_rates_thinned (
  single boolean primary key default true check (single),
  hourly_until timestamptz not null,
  daily_until timestamptz not null
);

-- The units whose jump waits for an admin's yes or no, and which this rate connects.
alter table market_rates add column awaits text[] not null default '{}';
-- The same of all the rates that the mid rate is made of: no new quotes until it is decided.
alter table pairs add column mid_awaits text[] not null default '{}';
