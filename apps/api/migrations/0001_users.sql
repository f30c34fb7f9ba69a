-- People and their sessions. Addresses are kept in lower case; a session's id
-- is kept only as its SHA-256, so a stolen table opens no door.
create table users (
  id uuid primary key,
  name text not null,
  email text not null check (email = lower(email)),
  password_hash text,
  role text not null default 'user' check (role in ('user', 'admin')),
  permissions text[] not null default '{}'
    check (permissions <@ array['desk', 'money', 'content', 'users', 'settings']),
  locale text not null default 'en',
  email_verified_at timestamptz,
  terms_accepted_at timestamptz,
  disabled_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email_key on users (email);

create table sessions (
  id_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  remember boolean not null default false,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_last_used on sessions (last_used_at);
