-- Working copies of legal pages that others took the place of: versions hold only what was published.
create table legal_page_copies (
  page_id uuid not null references legal_pages (id) on delete cascade,
  number integer not null check (number > 0),
  content jsonb not null,
  author_id uuid,
  author_name text,
  at timestamptz not null,
  primary key (page_id, number)
);

-- The console lists and counts drafts by themselves: of many posts few are any.
create index posts_drafts on posts (saved_at desc, id desc) where published_at is null;
