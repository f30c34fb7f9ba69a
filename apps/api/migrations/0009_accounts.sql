-- A second address until it is confirmed, sessions that can be named and
-- confirmed anew, and the one open request for a new password of a person.
alter table users
  add column pending_email text check (pending_email = lower(pending_email)),
  add column two_factor_at timestamptz;
create index users_newest on users (created_at desc, id desc);

alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column confirmed_at timestamptz not null default now();
create unique index sessions_id on sessions (id);

create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  token_hash bytea not null unique,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null
);
