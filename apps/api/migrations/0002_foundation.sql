-- What every feature stands on: settings, the audit log, task runs and the
-- answers kept for repeated requests.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create table settings (
  slug text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_by uuid,
  updated_at timestamptz not null default now()
);

-- Sealed with a key derived from APP_KEY; the slug and name are authenticated.
create table setting_secrets (
  slug text not null,
  name text not null,
  sealed bytea not null,
  last_four text not null,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (slug, name)
);

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('guest', 'user', 'admin', 'system')),
  actor_id uuid,
  action text not null,
  subject_kind text,
  subject_id text,
  data jsonb not null default '{}',
  ip text,
  request_id text
);
create index audit_events_actor on audit_events (actor_id, id desc);
create index audit_events_subject on audit_events (subject_kind, subject_id, id desc);
create index audit_events_action on audit_events (action, id desc);
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_change();
create trigger audit_events_keep before truncate on audit_events
  for each statement execute function refuse_change();

-- One row for each task and slot: whoever inserts it runs the task.
create table task_runs (
  task text not null,
  slot timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text check (outcome in ('done', 'failed')),
  detail text,
  primary key (task, slot)
);
create index task_runs_started on task_runs (started_at desc);

-- Written in the transaction of the effect, so an answer exists exactly when
-- the effect does.
create table idempotency_keys (
  actor text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (actor, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table legal_pages (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  body text not null,
  summary text not null default '',
  version text not null,
  effective_on date not null,
  position integer not null default 0,
  published_at timestamptz,
  updated_at timestamptz not null default now()
);
