-- Emails: written in the transaction of what they report, sent afterwards. The Message-ID is fixed
-- with the row, so a mailbox can recognise a repeated delivery.
create table letters (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  user_id uuid references users (id) on delete set null,
  locale text not null,
  subject text not null,
  data jsonb not null,
  secret bytea,
  message_id text not null unique,
  -- The queue it waits in, whose owner decides once more when it is sent. Campaigns have one of their
  -- own, so that no other email waits for them.
  queue text not null default 'letters',
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead')),
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  useful_until timestamptz,
  sent_at timestamptz,
  -- The server said that there is no such mailbox: not tried again with the others.
  gone boolean not null default false,
  -- The recipient is to be forgotten: the row is deleted as soon as it is sent.
  fleeting boolean not null default false,
  created_at timestamptz not null default now(),
  check ((state = 'sent') = (sent_at is not null))
);
create index letters_newest on letters (created_at desc, id desc);
create index letters_by_state on letters (state, created_at desc, id desc);
-- Addresses are typed in capitals too, and are looked for when they are forgotten or searched.
create index letters_by_recipient on letters (lower(recipient), created_at desc, id desc);
create index letters_of_user on letters (user_id);
create index letters_dead on letters (created_at, id) where state = 'dead';
-- The console counts what was sent within a day.
create index letters_sent on letters (sent_at) where sent_at is not null;
-- Emails whose job is gone are looked for in each queue by itself, however many of a paused campaign
-- wait in theirs.
create index letters_waiting on letters (queue, created_at) where state = 'waiting';

-- How many emails an address was written, by kind and hour, so that strangers cannot fill a mailbox and
-- what they cause takes nothing from the emails that an account needs. By a keyed hash: the address
-- does not stay here when its account is deleted.
create table letter_counts (
  recipient_hash bytea not null,
  kind text not null,
  hour timestamptz not null,
  written integer not null default 0,
  dropped integer not null default 0,
  -- How many of the dropped ones the service's log has reported.
  told integer not null default 0,
  primary key (recipient_hash, kind, hour)
);
create index letter_counts_hour on letter_counts (hour);
