-- Why nothing of a provider's last answer could be believed; null where something could.
alter table rate_provider_states add column unusable text;

-- Which units each answer had is kept since a while only. Of runs from before, what is believed and
-- what was ever put aside tell the last one that had the unit, so that what is left out now is told.
with given as (
  select provider, unit, confirmed_at as at from market_rates
  union
  select provider, unit, seen_at from rate_quarantine
), placed as (
  select run.id, given.provider, jsonb_agg(distinct given.unit) as units
  from given
  cross join lateral (
    select id from rate_runs
    where started_at <= given.at
      and (attempts @> jsonb_build_array(jsonb_build_object('provider', given.provider, 'outcome', 'ok'))
        or attempts @> jsonb_build_array(jsonb_build_object('provider', given.provider, 'outcome', 'not_due')))
    order by started_at desc, id desc
    limit 1
  ) as run
  group by run.id, given.provider
)
update rate_runs
set attempts = (
  select jsonb_agg(
    case when placed.units is null or attempt ? 'units' then attempt
      else attempt || jsonb_build_object('units', placed.units) end
    order by place)
  from jsonb_array_elements(attempts) with ordinality as listed (attempt, place)
  left join placed on placed.id = rate_runs.id and placed.provider = attempt ->> 'provider'
)
where id in (select id from placed);
