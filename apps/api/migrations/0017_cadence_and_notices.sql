-- How often a provider is asked, for how long it asked to be left alone, and
-- what admins have been told of.

alter table rate_provider_states
  -- When a run last began to ask it.
  add column asked_at timestamptz,
  -- By its own Retry-After: it is not asked before.
  add column retry_at timestamptz;

-- Providers of older settings were asked every hour.
update settings
  set value = jsonb_set(value, '{providers}', coalesce(
    (select jsonb_agg(jsonb_build_object('cadence_hours', 1) || provider order by place)
      from jsonb_array_elements(value -> 'providers') with ordinality as listed (provider, place)),
    '[]'))
  where slug = 'rate-api' and jsonb_typeof(value -> 'providers') = 'array';

-- When a letter asked for the yes or no.
alter table rate_quarantine add column told_at timestamptz;

-- The gravest state that admins were told of; one row.
create table rate_watch (
  single boolean primary key default true check (single),
  state text not null check (state in ('live', 'delayed', 'stale')),
  changed_at timestamptz not null
);
