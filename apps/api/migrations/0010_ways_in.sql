-- Second factors, and providers that vouch for people.
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

-- Known by what the provider calls the person, never by an address.
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
