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

-- Arabic keyboards type other letters than Persian ones, which look the same in most words.
create function folded_letters(words text) returns text
language sql immutable strict parallel safe
return translate(words, U&'\064A\0643', U&'\06CC\06A9');

-- Latin letters lose their accents, as in `kernel/search-words.ts`; elsewhere marks make other words.
-- Lower case for capitals too: PostgreSQL makes all words lower case in any case.
create function unaccented(words text) returns text
language sql immutable strict parallel safe
return normalize(
  regexp_replace(regexp_replace(regexp_replace(
    translate(
      regexp_replace(normalize(words, NFD), '([A-Za-z\u00C0-\u02AF])[\u0300-\u036F]+', '\1', 'g'),
      U&'\0141\0142\0110\0111\00D8\00F8\0131', 'llddooi'),
    '[\u00DF\u1E9E]', 'ss', 'g'), '[\u00C6\u00E6]', 'ae', 'g'), '[\u0152\u0153]', 'oe', 'g'),
  NFC);

-- Signs and spaces are written out, by their numbers where they are not ASCII, since classes of
-- characters depend on the locale: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic; Indian, Thai,
-- Ethiopic, Khmer; then what all scripts share, Chinese, full-width and pictures.
create function words_apart(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
  folded_letters(words),
  '[\u0001-/:-@[-`{-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7'
    '\u02C2-\u02C5\u02D2-\u02DF\u037E\u0384\u0385\u0387\u0482\u055A-\u055F\u0589-\u058F'
    '\u05BE\u05C0\u05C3\u05C6\u05F3-\u060F\u061B-\u061F\u066A-\u066D\u06D4\u06DD\u06DE'
    '\u0964\u0965\u0970\u09F2\u09F3\u0E3F\u0E4F\u0E5A\u0E5B\u1360-\u1368\u17D4-\u17D6\u17D8-\u17DB'
    '\u2000-\u206F\u207A-\u207E\u208A-\u208E\u20A0-\u2101\u2103-\u2106\u2116-\u2118\u2120-\u2122'
    '\u2190-\u245F\u2500-\u2775\u2794-\u2BFF\u2E00-\u2E2E\u2E30-\u2E7F'
    '\u3000-\u3004\u3008-\u3020\u3030\u303D-\u303F\u30A0\u30FB'
    '\uFD3E\uFD3F\uFDFC\uFE00-\uFE19\uFE30-\uFE6F\uFEFF-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65'
    '\uFFE0-\uFFFF\U0001F000-\U0001F0FF\U0001F10D-\U0001FBEF\U000E0000-\U000E0FFF]+',
  ' ', 'g');

create function searched_words(words text) returns text
language sql immutable strict parallel safe
return words_apart(unaccented(words));
