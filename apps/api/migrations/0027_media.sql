-- Pictures of the public site, their files in every width and format, and where
-- each is shown. `key` is the part of the public name that tells them apart.
create table media (
  id uuid primary key,
  key text not null unique check (key ~ '^[a-z0-9]{16}$'),
  name text not null check (length(name) between 1 and 120),
  alt text not null default '' check (length(alt) <= 300),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  fallback_format text not null check (fallback_format in ('jpg', 'png')),
  search tsvector not null generated always as (to_tsvector('simple', name || ' ' || alt)) stored,
  created_by uuid,
  created_at timestamptz not null default now()
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

create table media_uses (
  media_id uuid not null references media (id) on delete cascade,
  subject_kind text not null,
  subject_id text not null,
  label text not null,
  href text not null,
  primary key (media_id, subject_kind, subject_id)
);
create index media_uses_subject on media_uses (subject_kind, subject_id);
