-- Campaigns of the newsletter, lists that are imported, and what bounced.

-- Which queue a letter waits in: the queue's owner decides once more when it is
-- sent. Campaigns have one of their own, so that no other letter waits for them.
alter table letters add column queue text not null default 'letters';

alter table subscribers
  -- By what consent somebody is here: their own form, or an import that names it.
  add column source text not null default 'form' check (source in ('form', 'import')),
  add column import_id uuid,
  -- Filled in faster than anybody types, or where nobody sees a field: no letter went out.
  add column suspected boolean not null default false,
  add column bounced_at timestamptz,
  add column bounce_words text;
create index subscribers_sending_locale on subscribers (locale, id) where state = 'confirmed';

-- Counted once for each statement, and who gets letters by language too: a batch
-- of a thousand is one change of a count, and no campaign counts 100,000 rows.
drop trigger subscribers_counted on subscribers;
drop function count_subscribers();
alter table subscriber_counts
  drop constraint subscriber_counts_pkey,
  add column locale text not null default '';
delete from subscriber_counts;
alter table subscriber_counts add primary key (state, locale);
insert into subscriber_counts (state, locale, count)
  select state, case when state = 'confirmed' then locale else '' end, count(*)
  from subscribers group by 1, 2;

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

create table subscriber_imports (
  id uuid primary key,
  name text not null,
  -- `reading` the file, `ready` to be looked at, `writing`, then `done`; or `failed`, `dropped`.
  state text not null
    check (state in ('reading', 'ready', 'writing', 'done', 'failed', 'dropped')),
  -- What the admin who imports says of where and when these people agreed.
  consent text not null default '',
  consented_on text,
  stored_name text,
  size_bytes bigint not null,
  read_bytes bigint not null default 0,
  lines integer not null default 0,
  -- The last line that is written.
  written_line integer not null default 0,
  added integer not null default 0,
  known integer not null default 0,
  left_before integer not null default 0,
  -- Of those: which the file itself says have left.
  marked integer not null default 0,
  repeated integer not null default 0,
  invalid integer not null default 0,
  -- The first of them: `[{ "line": 3, "text": "…" }]`.
  faults jsonb not null default '[]',
  fault text,
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null,
  done_at timestamptz
);
create index subscriber_imports_newest on subscriber_imports (created_at desc, id desc);

-- The file's addresses between its reading and its writing.
create table subscriber_import_rows (
  import_id uuid not null references subscriber_imports (id) on delete cascade,
  line integer not null,
  email text not null,
  locale text not null,
  email_hash bytea not null,
  primary key (import_id, line)
);
create unique index subscriber_import_rows_email on subscriber_import_rows (import_id, lower(email));

create table campaigns (
  id uuid primary key,
  subject text not null default '',
  preview text not null default '',
  body text not null default '',
  -- Only who reads this language; null for all.
  locale text,
  state text not null default 'draft'
    check (state in ('draft', 'scheduled', 'sending', 'paused', 'cancelled', 'sent')),
  -- Why it paused by itself.
  paused_for text,
  version integer not null default 1,
  scheduled_at timestamptz,
  started_at timestamptz,
  done_at timestamptz,
  -- How many there were to write to when it started.
  recipients integer,
  -- The last subscriber whom a letter was written.
  cursor uuid,
  -- When there was nobody left to write a letter to.
  written_at timestamptz,
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'scheduled') = (scheduled_at is not null)),
  check (state in ('draft', 'scheduled') or started_at is not null)
);
create index campaigns_newest on campaigns (created_at desc, id desc);
create index campaigns_busy on campaigns (started_at, id) where state in ('scheduled', 'sending');

-- One row for each campaign and subscriber: whatever crashes, nobody has two. Its
-- id is the letter's too, and what the letter's link to the end is signed over.
create table campaign_letters (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  subscriber_id uuid not null references subscribers (id) on delete cascade,
  state text not null default 'queued'
    check (state in ('queued', 'sent', 'failed', 'bounced', 'skipped')),
  -- When its reader ended the newsletter by this letter.
  ended_at timestamptz,
  unique (campaign_id, subscriber_id)
);
create index campaign_letters_subscriber on campaign_letters (subscriber_id);
create index campaign_letters_queued on campaign_letters (campaign_id, id) where state = 'queued';

create table campaign_counts (
  campaign_id uuid not null references campaigns (id) on delete cascade,
  -- A state of its letters, or `ended`.
  state text not null,
  count integer not null default 0,
  primary key (campaign_id, state)
);

create function count_campaign_letters() returns trigger language plpgsql as $$
begin
  insert into campaign_counts as known (campaign_id, state, count)
  select campaign_id, state, sum(delta)::int from (
    select campaign_id, state, 1 as delta from added
    union all
    select campaign_id, 'ended', 1 from added where ended_at is not null
  ) as changes group by 1, 2 order by 1, 2
  on conflict (campaign_id, state) do update set count = known.count + excluded.count;
  return null;
end $$;
create function recount_campaign_letters() returns trigger language plpgsql as $$
begin
  insert into campaign_counts as known (campaign_id, state, count)
  select campaign_id, state, sum(delta)::int from (
    select campaign_id, state, 1 as delta from added
    union all
    select campaign_id, state, -1 from gone
    union all
    select campaign_id, 'ended', 1 from added where ended_at is not null
    union all
    select campaign_id, 'ended', -1 from gone where ended_at is not null
  ) as changes group by 1, 2 having sum(delta) <> 0 order by 1, 2
  on conflict (campaign_id, state) do update set count = known.count + excluded.count;
  return null;
end $$;
-- A subscriber who is deleted stays counted where they were written to.
create trigger campaign_letters_added after insert on campaign_letters
  referencing new table as added for each statement execute function count_campaign_letters();
create trigger campaign_letters_changed after update on campaign_letters
  referencing old table as gone new table as added
  for each statement execute function recount_campaign_letters();

-- When letters of campaigns were last handed to the outbox: one pace for all processes.
create table campaign_pace (
  is_only boolean primary key default true check (is_only),
  handed_at timestamptz not null
);
insert into campaign_pace (handed_at) values (now());
