-- Which browsers an account knows, so that an attack on its password from many networks can be refused
-- without refusing its owner (docs/decisions/0035-guessing.md).

-- By the SHA-256 of a random token in the browser's cookie. `known_devices` cannot serve: it holds what
-- a browser says of itself, which anybody can say.
create table known_browsers (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  last_used_at timestamptz not null
);
create index known_browsers_of_user on known_browsers (user_id, last_used_at desc);
create index known_browsers_used on known_browsers (last_used_at);

-- Links that make the browser that follows them known. Used once.
create table browser_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  requested_at timestamptz not null,
  expires_at timestamptz not null
);
create index browser_links_of_user on browser_links (user_id, requested_at desc);
create index browser_links_expired on browser_links (expires_at);
