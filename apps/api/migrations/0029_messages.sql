-- What visitors write to the desk: messages, which are answered, and reports of
-- what is missing, which keep nothing of who sent them.
create table contact_submissions (
  id uuid primary key,
  number bigint generated always as identity unique,
  name text not null,
  email text not null,
  topic text not null check (topic in ('exchange', 'account', 'rates', 'press', 'other')),
  exchange_number text not null default '',
  message text not null,
  state text not null default 'new'
    check (state in ('new', 'open', 'answered', 'closed', 'spam')),
  suspected boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  search tsvector not null generated always as (
    to_tsvector('simple', name || ' ' || translate(email, '@.', '  ') || ' ' || email || ' '
      || exchange_number || ' ' || message)
  ) stored
);
create index contact_submissions_newest on contact_submissions (created_at desc, id desc);
create index contact_submissions_state on contact_submissions (state, created_at desc, id desc);
create index contact_submissions_search on contact_submissions using gin (search);
create index contact_submissions_email on contact_submissions (lower(email));

create table contact_entries (
  id uuid primary key,
  submission_id uuid not null references contact_submissions (id) on delete cascade,
  kind text not null check (kind in ('note', 'reply')),
  body text not null,
  author_id uuid,
  author_name text,
  at timestamptz not null default now()
);
create index contact_entries_of on contact_entries (submission_id, at, id);

create table feature_reports (
  id uuid primary key,
  title text not null,
  description text not null,
  page text not null default '',
  state text not null default 'new'
    check (state in ('new', 'planned', 'done', 'declined', 'suspected')),
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  search tsvector not null generated always as (
    to_tsvector('simple', title || ' ' || description || ' ' || page || ' ' || note)
  ) stored
);
create index feature_reports_newest on feature_reports (created_at desc, id desc);
create index feature_reports_state on feature_reports (state, created_at desc, id desc);
create index feature_reports_search on feature_reports using gin (search);
