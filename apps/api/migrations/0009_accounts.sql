-- A second address until it is confirmed, sessions that can be named and
-- confirmed anew, the devices that a person is known to use, and the one open
-- request for a new password of a person.
alter table users
  add column pending_email text check (pending_email = lower(pending_email)),
  add column two_factor_at timestamptz,
  add column verification_sent_at timestamptz,
  add column deleted_at timestamptz;
create index users_newest on users (created_at desc, id desc);
create index users_deleted on users (deleted_at) where deleted_at is not null;

alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column confirmed_at timestamptz not null default now();
create unique index sessions_id on sessions (id);

-- A keyed hash of browser, system and network: enough to tell a new one.
create table known_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_used on known_devices (last_used_at);

create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  token_hash bytea not null unique,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null
);
