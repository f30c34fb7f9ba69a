-- How many letters an address was written, by the hour, so that nobody can fill
-- a stranger's mailbox. It is known by a keyed hash: the address does not stay
-- here when its account goes.
create table letter_counts (
  recipient_hash bytea not null,
  hour timestamptz not null,
  written integer not null default 0,
  dropped integer not null default 0,
  -- How many of the dropped ones the service's log has told of.
  told integer not null default 0,
  primary key (recipient_hash, hour)
);
create index letter_counts_hour on letter_counts (hour);

-- Several open requests for a new password of one person: a stranger's request
-- must not end the link that the owner holds.
alter table password_resets
  drop constraint password_resets_pkey,
  drop constraint password_resets_token_hash_key,
  add primary key (token_hash);
create index password_resets_of_user on password_resets (user_id, requested_at);
create index password_resets_expiry on password_resets (expires_at);

-- Accounts whose address nobody has proved are deleted after a while.
create index users_unproved on users (created_at)
  where email_verified_at is null and deleted_at is null;
