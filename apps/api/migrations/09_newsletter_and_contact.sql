-- The newsletter's subscribers: an address, asked for and confirmed.
create table subscribers (
  id uuid primary key,
  email text not null,
  locale text not null default 'en',
  state text not null check (state in ('pending', 'confirmed', 'left', 'bounced')),
  -- How they consented: by their own form, or by an import that names their consent.
  source text not null default 'form' check (source in ('form', 'import')),
  import_id uuid,
  -- The form was filled in faster than a person types, or in a field that is not visible: no email
  -- was sent.
  suspected boolean not null default false,
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  left_at timestamptz,
  bounced_at timestamptz,
  bounce_answer text
);
create unique index subscribers_email on subscribers (lower(email) text_pattern_ops);
create index subscribers_newest on subscribers (asked_at desc, id desc);
create index subscribers_state on subscribers (state, asked_at desc, id desc);
create index subscribers_sending on subscribers (id) where state = 'confirmed';
create index subscribers_sending_locale on subscribers (locale, id) where state = 'confirmed';

-- How many subscribers are in each state, and of the confirmed in each language: counted once for each
-- statement that changes them, since counting 100,000 rows for a page takes too long.
create table subscriber_counts (
  state text check (state in ('pending', 'confirmed', 'left', 'bounced')),
  locale text not null default '',
  count bigint not null default 0,
  primary key (state, locale)
);

create function add_subscriber_counts(changes jsonb) returns void language sql as $$
  insert into subscriber_counts as known (state, locale, count)
  select each ->> 'state', each ->> 'locale', (each ->> 'delta')::bigint
  from jsonb_array_elements(changes) as each
  -- One order of locking for everybody.
  order by 1, 2
  on conflict (state, locale) do update set count = known.count + excluded.count
$$;

create function count_subscribers() returns trigger language plpgsql as $$
declare
  changes jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(c)) into changes from (
      select state, case when state = 'confirmed' then locale else '' end as locale, count(*) as delta
      from added group by 1, 2) as c;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(c)) into changes from (
      select state, case when state = 'confirmed' then locale else '' end as locale, -count(*) as delta
      from gone group by 1, 2) as c;
  else
    select jsonb_agg(to_jsonb(c)) into changes from (
      select state, case when state = 'confirmed' then locale else '' end as locale, sum(delta) as delta
      from (
        select state, locale, 1 as delta from added
        union all
        select state, locale, -1 from gone
      ) as both_sides group by 1, 2 having sum(delta) <> 0) as c;
  end if;
  if changes is not null then perform add_subscriber_counts(changes); end if;
  return null;
end $$;
create trigger subscribers_counted_added after insert on subscribers
  referencing new table as added for each statement execute function count_subscribers();
create trigger subscribers_counted_changed after update on subscribers
  referencing old table as gone new table as added
  for each statement execute function count_subscribers();
create trigger subscribers_counted_deleted after delete on subscribers
  referencing old table as gone for each statement execute function count_subscribers();

-- Addresses that were deleted, by a keyed hash alone: no import brings them back.
create table forgotten_subscribers (
  email_hash bytea primary key,
  at timestamptz not null
);

-- An import is one transaction: the row says what it did, and by what consent.
create table subscriber_imports (
  id uuid primary key,
  name text not null,
  added integer not null,
  skipped integer not null,
  -- Where and how the people of the list agreed, and the last day any of them did.
  consent text not null,
  consented_on text not null,
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null
);
create index subscriber_imports_newest on subscriber_imports (created_at desc, id desc);

create table campaigns (
  id uuid primary key,
  subject text not null default '',
  preview text not null default '',
  body text not null default '',
  -- Only subscribers of this language; null for all.
  locale text,
  state text not null default 'draft'
    check (state in ('draft', 'scheduled', 'sending', 'stopped', 'sent')),
  -- When refusals of the mail server stopped it; it is not stopped by them again.
  refusals_seen_at timestamptz,
  version integer not null default 1,
  scheduled_at timestamptz,
  started_at timestamptz,
  done_at timestamptz,
  -- How many subscribers there were when it started.
  recipients integer,
  -- When the last batch of its emails was handed over.
  batch_at timestamptz,
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'scheduled') = (scheduled_at is not null)),
  check (state in ('draft', 'scheduled') or started_at is not null)
);
create index campaigns_newest on campaigns (created_at desc, id desc);
create index campaigns_busy on campaigns (started_at, id) where state in ('scheduled', 'sending');

-- One row for each campaign and subscriber: no subscriber gets two, whatever crashes. Its id is in the
-- Message-ID, and what the unsubscribe link is signed over.
create table campaign_emails (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  -- Null once the subscriber is deleted: the counts stay true.
  subscriber_id uuid references subscribers (id) on delete set null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'skipped')),
  -- When its job was enqueued.
  handed_at timestamptz,
  -- What the mail server said when it refused the email.
  answer text,
  unsubscribed_at timestamptz,
  unique (campaign_id, subscriber_id)
);
create index campaign_emails_subscriber on campaign_emails (subscriber_id);
create index campaign_emails_queued on campaign_emails (campaign_id, id)
  where state = 'queued' and handed_at is null;
create index campaign_emails_unsettled on campaign_emails (campaign_id) where state = 'queued';
create index campaign_emails_failed on campaign_emails (campaign_id, id) where state = 'failed';

-- Messages of visitors, which are answered.
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
  -- The words of its entries, since an index is of one table. Of very many the last: a column of words
  -- has an end.
  entry_words text not null default '',
  search tsvector not null generated always as (
    to_tsvector('simple', searched_words(name || ' ' || email || ' ' || exchange_number || ' '
      || message || ' ' || right(entry_words, 200000)))
  ) stored
);
create index contact_submissions_newest on contact_submissions (created_at desc, id desc);
create index contact_submissions_state on contact_submissions (state, created_at desc, id desc);
create index contact_submissions_search on contact_submissions using gin (search);
create index contact_submissions_email on contact_submissions (lower(email));
-- Beside the exchange that they name.
create index contact_submissions_exchange on contact_submissions (upper(exchange_number), created_at)
  where exchange_number <> '';

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

-- Reports of missing features, without anything of the sender.
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
    to_tsvector('simple', searched_words(title || ' ' || description || ' ' || page || ' ' || note))
  ) stored
);
create index feature_reports_newest on feature_reports (created_at desc, id desc);
create index feature_reports_state on feature_reports (state, created_at desc, id desc);
create index feature_reports_search on feature_reports using gin (search);
