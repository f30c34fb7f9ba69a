-- Emails: written in the transaction of what they report, sent afterwards. The Message-ID is fixed
-- with the row, so a mailbox can recognise a repeated delivery.
create table emails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  user_id uuid references users (id) on delete set null,
  locale text not null,
  subject text not null,
  data jsonb not null,
  secret bytea,
  message_id text not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text,
  expires_at timestamptz,
  sent_at timestamptz,
  -- The server said that there is no such mailbox: not tried again with the others.
  undeliverable boolean not null default false,
  -- The recipient's account is being deleted: the row is deleted as soon as it is sent.
  delete_after_sending boolean not null default false,
  created_at timestamptz not null default now(),
  check ((state = 'sent') = (sent_at is not null))
);
create index emails_newest on emails (created_at desc, id desc);
create index emails_by_state on emails (state, created_at desc, id desc);
-- Addresses are typed in capitals too, and are looked for when they are forgotten or searched.
create index emails_by_recipient on emails (lower(recipient), created_at desc, id desc);
create index emails_of_user on emails (user_id);
create index emails_failed on emails (created_at, id) where state = 'failed';
-- The console counts what was sent within a day.
create index emails_sent on emails (sent_at) where sent_at is not null;

-- How many emails an address was sent, by kind and hour, so that strangers cannot fill a mailbox and
-- what they cause takes nothing from the emails that an account needs. By a keyed hash: the address
-- does not stay here when its account is deleted.
create table email_counts (
  recipient_hash bytea not null,
  kind text not null,
  hour timestamptz not null,
  count integer not null,
  primary key (recipient_hash, kind, hour)
);
create index email_counts_hour on email_counts (hour);
