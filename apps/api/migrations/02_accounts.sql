-- Users, their sessions and the ways they sign in. Email addresses are stored in lower case; of
-- session ids and tokens only the SHA-256 is stored, so a stolen table opens nothing.
create table users (
  id uuid primary key,
  name text not null,
  email text not null check (email = lower(email)),
  -- A second address until it is confirmed.
  pending_email text check (pending_email = lower(pending_email)),
  password_hash text,
  -- The hash of a password that an admin has taken away, until the user chooses the next one: it must
  -- not be the same again. It opens nothing.
  taken_password_hash text,
  role text not null default 'user' check (role in ('user', 'admin')),
  permissions text[] not null default '{}'
    check (permissions <@ array['desk', 'money', 'content', 'users', 'settings']),
  locale text not null default 'en',
  email_verified_at timestamptz,
  verification_sent_at timestamptz,
  -- The page that the user was on the way to when the verification email was asked for, until the
  -- address is verified: repeated emails lead there too. A path of the frontend.
  verification_next text check (length(verification_next) between 1 and 300),
  two_factor_at timestamptz,
  terms_accepted_at timestamptz,
  -- How an operator wants to hear of new work: in the browser, and by a digest of what has come since.
  desk_notices boolean not null default false,
  desk_digest text not null default 'off' check (desk_digest in ('off', 'hourly', 'daily')),
  desk_digest_at timestamptz,
  disabled_at timestamptz,
  deleted_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email_key on users (email);
create index users_newest on users (created_at desc, id desc);
create index users_deleted on users (deleted_at) where deleted_at is not null;
-- Accounts whose address is never verified are deleted after a while.
create index users_unproved on users (created_at)
  where email_verified_at is null and deleted_at is null;
-- The few among many, in the order of the console's list.
create index users_admins on users (created_at desc, id desc) where role = 'admin';
create index users_disabled on users (created_at desc, id desc) where disabled_at is not null;

-- Operators find users by the beginnings of the words of their name and address, however they are
-- typed. Words are cut here: a text search parser treats addresses and hyphens by rules of its own,
-- and a server may not have pg_trgm. Apostrophes and hyphens of every shape stand between words, and
-- an accent is one character with its letter. What stands between words is written out, by its number
-- where it is not ASCII, since classes of characters depend on the locale. Lower case depends on the
-- locale of the database too, but alike for what is stored and what is asked for.
-- The index does not follow a change of the function: a migration that changes it makes both anew.
create function customer_words(name text, email text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array_remove(
  regexp_split_to_array(lower(left(normalize(name || ' ' || email, nfc), 400)),
    '[]\t\n\v\f\r !"#$%&''()*+,./:;<=>?@[\\^_`{|}~\u00A0\u02BC\u2010-\u2015\u2018\u2019\u3000-]+'), ''));
create index users_customer_words on users using gin (customer_words(name, email));
-- A search for a whole address looks for its owner, not for all users who share its words.
create index users_email_prefix on users (email text_pattern_ops);

create table sessions (
  id_hash bytea primary key,
  -- Names the session in the account's list.
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  remember boolean not null default false,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create unique index sessions_id on sessions (id);
create index sessions_user on sessions (user_id);
create index sessions_last_used on sessions (last_used_at);

-- Sessions that have just ended, for a few minutes: an answer to a request made with one of them sets
-- no cookies, since those that replaced it may be on their way to the browser.
create table ended_sessions (
  id_hash bytea primary key,
  ended_at timestamptz not null default now()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);

create function note_ended_session() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (id_hash) values (old.id_hash) on conflict do nothing;
  return null;
end
$$;
create trigger sessions_ended after delete on sessions
  for each row execute function note_ended_session();

-- Which browsers an account knows, so that an attack on its password from many networks can be refused
-- without refusing its owner (docs/decisions/0035-guessing.md). By the SHA-256 of a random token in the
-- browser's cookie.
create table known_browsers (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  last_used_at timestamptz not null
);
create index known_browsers_of_user on known_browsers (user_id, last_used_at desc);
create index known_browsers_used on known_browsers (last_used_at);

-- Several for one user: a stranger's request must not end the link that the owner holds.
create table password_resets (
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea primary key,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_resets_of_user on password_resets (user_id, requested_at);
create index password_resets_expiry on password_resets (expires_at);

create table totp_factors (
  user_id uuid primary key references users (id) on delete cascade,
  sealed bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

create table sign_in_challenges (
  session_hash bytea primary key,
  user_id uuid references users (id) on delete cascade,
  remember boolean not null default false,
  webauthn_challenge text,
  failures integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

-- Accounts at OAuth providers, by the provider's own id of the person, never by an email address.
create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (provider, subject),
  unique (user_id, provider)
);

create table provider_flows (
  state_hash bytea primary key,
  session_hash bytea not null,
  provider text not null,
  sealed bytea not null,
  intent text not null check (intent in ('signin', 'link')),
  next text,
  remember boolean not null default false,
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index provider_flows_expiry on provider_flows (expires_at);
