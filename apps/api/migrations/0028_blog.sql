-- Posts. The columns are what the public sees; `draft` is the working copy, which
-- saves itself. A post whose `published_at` lies ahead is public from then on.
create table posts (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  title text not null,
  excerpt text not null default '',
  body text not null default '',
  body_text text not null default '',
  reading_minutes integer not null default 1,
  cover text,
  cover_alt text not null default '',
  author text not null default '',
  tags text[] not null default '{}',
  canonical text,
  meta_title text not null default '',
  meta_description text not null default '',
  head_script text not null default '',
  published_at timestamptz,
  -- When readers were told; null while the time lies ahead.
  announced_at timestamptz,
  updated_at timestamptz not null default now(),
  draft jsonb not null,
  version integer not null default 1,
  saved_at timestamptz not null default now(),
  saved_by uuid,
  saved_by_name text,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', title), 'A') ||
    setweight(to_tsvector('simple', excerpt), 'B') ||
    setweight(to_tsvector('simple', left(body_text, 200000)), 'C')
  ) stored
);
create index posts_public on posts (published_at desc, id desc) where published_at is not null;
create index posts_addresses on posts (slug) where published_at is not null;
create index posts_tags on posts using gin (tags);
create index posts_search on posts using gin (search);
create index posts_saved on posts (saved_at desc, id desc);
create index posts_due on posts (published_at) where published_at is not null and announced_at is null;

create table post_revisions (
  post_id uuid not null references posts (id) on delete cascade,
  number integer not null,
  reason text not null check (reason in ('saved', 'published', 'restored')),
  content jsonb not null,
  author_id uuid,
  author_name text,
  at timestamptz not null,
  primary key (post_id, number)
);

-- Where a post was before: for good, since others link to it.
create table post_redirects (
  slug text primary key,
  post_id uuid not null references posts (id) on delete cascade
);
create index post_redirects_post on post_redirects (post_id);
