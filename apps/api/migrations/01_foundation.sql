-- What every feature stands on: settings, the audit log, task runs, the stored answers of repeated
-- requests, and the functions of full-text search.

-- For triggers of tables whose rows never change.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create table settings (
  slug text primary key,
  value jsonb not null,
  version integer not null default 1,
  saved_at timestamptz not null default now(),
  saved_by uuid,
  saved_by_name text
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
-- Each in the order of the console's list, which can be asked for days long ago.
create index audit_events_newest on audit_events (at desc, id desc);
create index audit_events_actor on audit_events (actor_id, at desc, id desc);
create index audit_events_subject on audit_events (subject_kind, subject_id, at desc, id desc);
create index audit_events_action on audit_events (action, at desc, id desc);
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_change();
create trigger audit_events_keep before truncate on audit_events
  for each statement execute function refuse_change();

-- One row for each task and slot: the process that inserts it runs the task.
create table task_runs (
  task text not null,
  slot timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text check (outcome in ('done', 'failed')),
  detail text,
  -- The admin who ran it by hand; null for the schedule.
  asked_by uuid,
  primary key (task, slot)
);
create index task_runs_started on task_runs (started_at desc);

-- What the processes of the service exchange of their throttles. Unlogged: what a crash takes is counted anew.
create unlogged table counts (
  id text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index counts_ended on counts (ends_at);

-- Written in the transaction of the effect, so an answer exists exactly when the effect does.
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

-- Texts are searched by the words that a reader sees in them. PostgreSQL's own parser keeps “0.25”,
-- addresses and paths whole, and where its locale is C the quotes around a word too, while a search
-- asks for letters and digits alone: what stands between words is cut away first, in the same way as
-- `kernel/search-words.ts` cuts what is typed. Generated columns and indexes do not follow a change
-- of these functions: a migration that changes one makes the columns of its callers anew.

-- A text as the words that a search finds: without accents and punctuation, as `kernel/search-words.ts`
-- reads the question. The signs are written out, since classes of characters depend on the locale.
create function searched_words(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
  regexp_replace(normalize(words, NFD), '[\u0300-\u036F]+', '', 'g'),
  '[\u0001-/:-@[-`{-\u00A9\u00AB-\u00B1\u00B4-\u00BF\u2000-\u206F\u20A0-\u20CF\u2190-\u23FF\u2500-\u2BFF\u3000-\u303F]+',
  ' ', 'g');
