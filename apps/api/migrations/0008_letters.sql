-- Letters: written in the transaction of what they tell about, sent afterwards.
-- The Message-ID is fixed with the letter, so a repeated delivery can be seen.
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
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead')),
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  useful_until timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'sent') = (sent_at is not null))
);
create index letters_newest on letters (created_at desc, id desc);
create index letters_by_state on letters (state, created_at desc, id desc);
create index letters_by_recipient on letters (recipient, created_at desc, id desc);
create index letters_of_user on letters (user_id);
