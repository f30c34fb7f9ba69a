-- Legal pages in versions. A version is what the public was told: it never changes,
-- and a page that has one cannot be deleted. `draft` is the working copy.
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

insert into legal_page_versions (page_id, number, title, summary, body, change, effective_on, at)
select id, 1, title, summary, body, '', effective_on, published_at
from legal_pages where published_at is not null;

create trigger legal_page_versions_append_only before update or delete on legal_page_versions
  for each row execute function refuse_change();
create trigger legal_page_versions_keep before truncate on legal_page_versions
  for each statement execute function refuse_change();

-- Where a page was before: for good, since others link to it.
create table legal_page_redirects (
  slug text primary key,
  page_id uuid not null references legal_pages (id) on delete cascade
);
create index legal_page_redirects_page on legal_page_redirects (page_id);

alter table legal_pages
  add column draft jsonb,
  add column saved_at timestamptz not null default now(),
  add column saved_by uuid,
  add column saved_by_name text;
update legal_pages set
  draft = jsonb_build_object('title', title, 'summary', summary, 'body', body, 'change', '', 'effective_on', null),
  saved_at = updated_at;
alter table legal_pages
  alter column draft set not null,
  drop column title,
  drop column summary,
  drop column body,
  drop column effective_on,
  drop column version,
  drop column updated_at;
alter table legal_pages add column version integer not null default 1;
