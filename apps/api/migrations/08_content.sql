-- Pictures of the public site and their files in every width and format. `key` is the part of the public name that distinguishes them.
create table media (
  id uuid primary key,
  key text not null unique check (key ~ '^[a-z0-9]{16}$'),
  name text not null check (length(name) between 1 and 120),
  alt text not null default '' check (length(alt) <= 300),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  fallback_format text not null check (fallback_format in ('jpg', 'png')),
  created_by uuid,
  created_at timestamptz not null default now(),
  search tsvector not null
    generated always as (to_tsvector('simple', searched_words(name || ' ' || alt))) stored
);
create index media_newest on media (created_at desc, id desc);
create index media_search on media using gin (search);

create table media_files (
  media_id uuid not null references media (id) on delete cascade,
  width integer not null check (width > 0),
  format text not null check (format in ('avif', 'webp', 'jpg', 'png')),
  stored_name text not null unique,
  size_bytes integer not null check (size_bytes > 0),
  primary key (media_id, width, format)
);

-- Posts. The columns are what the public sees; `draft` is what its editors write. A post whose `published_at` lies ahead is public from then on.
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
  -- When readers were notified; null while the time lies ahead.
  announced_at timestamptz,
  updated_at timestamptz not null default now(),
  draft jsonb not null,
  version integer not null default 1,
  saved_at timestamptz not null default now(),
  saved_by uuid,
  saved_by_name text,
  search tsvector not null generated always as (
    setweight(to_tsvector('simple', searched_words(title)), 'A') ||
    setweight(to_tsvector('simple', searched_words(excerpt)), 'B') ||
    setweight(to_tsvector('simple', searched_words(left(body_text, 200000))), 'C')
  ) stored,
  -- The console finds and filters posts by the title and tags of the draft; without columns of
  -- their own each row's whole text would have to be unpacked for it.
  draft_search tsvector not null generated always as (
    to_tsvector('simple', searched_words(coalesce(draft->>'title', '')))
  ) stored,
  draft_tags jsonb not null generated always as (coalesce(draft->'tags', '[]'::jsonb)) stored
);
create index posts_public on posts (published_at desc, id desc) where published_at is not null;
create index posts_addresses on posts (slug) where published_at is not null;
create index posts_tags on posts using gin (tags);
create index posts_search on posts using gin (search);
create index posts_draft_search on posts using gin (draft_search);
create index posts_draft_tags on posts using gin (draft_tags);
create index posts_saved on posts (saved_at desc, id desc);
-- The console lists and counts drafts by themselves: of many posts few are any.
create index posts_drafts on posts (saved_at desc, id desc) where published_at is null;
create index posts_due on posts (published_at) where published_at is not null and announced_at is null;

-- Former addresses of posts: permanent, since others link to them.
create table post_redirects (
  slug text primary key,
  post_id uuid not null references posts (id) on delete cascade
);
create index post_redirects_post on post_redirects (post_id);

-- Legal pages: `draft` is what their editors write, versions are what was published.
create table legal_pages (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  position integer not null default 0,
  published_at timestamptz,
  draft jsonb not null,
  version integer not null default 1,
  saved_at timestamptz not null default now(),
  saved_by uuid,
  saved_by_name text
);

-- Proof of what the public could read: a version never changes, and a page that has one cannot be
-- deleted.
create table legal_page_versions (
  page_id uuid not null references legal_pages (id),
  number integer not null check (number > 0),
  title text not null,
  summary text not null,
  body text not null,
  change text not null,
  effective_on date not null,
  author_id uuid,
  author_name text,
  at timestamptz not null,
  primary key (page_id, number)
);
create trigger legal_page_versions_append_only before update or delete on legal_page_versions
  for each row execute function refuse_change();
create trigger legal_page_versions_keep before truncate on legal_page_versions
  for each statement execute function refuse_change();

-- Former addresses of pages: permanent, since others link to them.
create table legal_page_redirects (
  slug text primary key,
  page_id uuid not null references legal_pages (id) on delete cascade
);
create index legal_page_redirects_page on legal_page_redirects (page_id);

-- What a post, a legal page or a group of settings said at one time, with its author; it can be
-- restored. Saves of one author within ten minutes of `begun_at` are one revision.
create table content_revisions (
  subject_kind text not null check (subject_kind in ('post', 'legal_page', 'settings')),
  subject_id text not null,
  number integer not null check (number > 0),
  reason text not null check (reason in ('saved', 'published', 'restored')),
  content jsonb not null,
  author_id uuid,
  author_name text,
  begun_at timestamptz not null,
  at timestamptz not null,
  primary key (subject_kind, subject_id, number)
);
