-- The history of settings. `before` is null for the first value. Of a secret only its name is stored.
create table setting_changes (
  id bigint generated always as identity primary key,
  slug text not null,
  kind text not null check (kind in ('written', 'restored', 'secret_written', 'secret_removed')),
  version integer,
  restored integer,
  -- Whether the version was chosen from the list, and not by undo or redo.
  chosen boolean not null default false,
  secret text,
  before jsonb,
  value jsonb,
  -- Whether a writing left the very value that it found, so that no whole value is read to know it.
  same boolean not null
    generated always as (before is not null and before is not distinct from value) stored,
  author_id uuid,
  author_name text,
  at timestamptz not null,
  check ((kind = 'restored') = (restored is not null)),
  check ((kind in ('written', 'restored')) = (version is not null and value is not null)),
  check ((kind in ('secret_written', 'secret_removed')) = (secret is not null)),
  check (secret is null or (before is null and value is null))
);
create index setting_changes_list on setting_changes (slug, id desc);
create unique index setting_changes_versions on setting_changes (slug, version) where version is not null;

-- How many posts have a tag, as it is spelled: in working copies (`written`), and among what is
-- public or will be (`shown`).
create table post_tags (
  tag text primary key,
  -- Tags are found whatever their case.
  name text not null generated always as (lower(tag)) stored,
  written integer not null,
  shown integer not null
);
create index post_tags_name on post_tags (name);
create index post_tags_written on post_tags (written desc, tag);
create index post_tags_shown on post_tags (shown desc, tag);

create type tag_change as (tag text, written integer, shown integer);
create function tag_changes(draft_tags jsonb, tags text[], published_at timestamptz, times integer)
returns setof tag_change language sql immutable as $$
  select jsonb_array_elements_text(draft_tags), times, 0
  union all
  select unnest(tags), 0, times where published_at is not null
$$;

-- Once for a statement: one that touches every post would else write the same rows for each.
create function count_post_tags() returns trigger language plpgsql as $$
declare
  changes tag_change[];
begin
  if tg_op = 'INSERT' then
    select array_agg(c) into changes
    from fresh p, tag_changes(p.draft_tags, p.tags, p.published_at, 1) c;
  elsif tg_op = 'DELETE' then
    select array_agg(c) into changes
    from gone p, tag_changes(p.draft_tags, p.tags, p.published_at, -1) c;
  else
    select array_agg(c) into changes from (
      select row(n.*)::tag_change as c
      from fresh p, tag_changes(p.draft_tags, p.tags, p.published_at, 1) n
      union all
      select row(o.*)::tag_change
      from gone p, tag_changes(p.draft_tags, p.tags, p.published_at, -1) o
    ) as both_ways;
  end if;
  insert into post_tags as kept (tag, written, shown)
  select tag, sum(written), sum(shown) from unnest(changes)
  group by tag having sum(written) <> 0 or sum(shown) <> 0
  -- In one order, so that two who save at once wait for each other at most.
  order by tag
  on conflict (tag) do update
    set written = kept.written + excluded.written, shown = kept.shown + excluded.shown;
  delete from post_tags
  where written = 0 and shown = 0 and tag in (select tag from unnest(changes));
  return null;
end
$$;
create trigger posts_tags_counted_in after insert on posts
  referencing new table as fresh for each statement execute function count_post_tags();
create trigger posts_tags_counted_anew after update on posts
  referencing old table as gone new table as fresh
  for each statement execute function count_post_tags();
create trigger posts_tags_counted_out after delete on posts
  referencing old table as gone for each statement execute function count_post_tags();

-- Which texts link to which post or legal page, by the address in the link: noted as each text is
-- saved, so that not all of them are read before a post is deleted. A legal page stands at the root of
-- the site, with a `/` before its slug. Which host is the site's own the settings of the process say,
-- so a host is noted too: `host/slug`.
create table post_links (
  -- In lower case, as the site finds it. It may be the address of no post, or of none yet.
  slug text not null,
  subject_kind text not null check (subject_kind in ('post', 'legal_page', 'settings', 'campaign')),
  subject_id text not null,
  -- The version of a legal page; 0 for its working copy, and for what has no versions.
  number integer not null default 0,
  primary key (slug, subject_kind, subject_id, number)
);
create index post_links_subject on post_links (subject_kind, subject_id, number);

-- Of cleaned HTML, where `>` and `"` of texts are escaped.
create function posts_linked_in(words text) returns setof text
language sql immutable strict parallel safe as $$
  select distinct lower(concat_ws('/', found[1], case when found[2] is null then '/' else '' end || found[3]))
  from string_to_table(words, '<a ') with ordinality as parts (part, place),
    regexp_match(part,
      '^[^>]*href="(?:[A-Za-z]+://([^/?#"]{1,253}))?/(blog/)?([A-Za-z0-9-]{1,80})/?["?#]') as found
  where place > 1 and found is not null
$$;

-- Settings hold no HTML but fields: read as the links that pages make of them.
create function links_made_of(value jsonb) returns text[]
language sql immutable strict parallel safe as $$
  select array_agg(format('<a href="%s">', href #>> '{}'))
  from jsonb_path_query(value, 'strict $.**.href') as href
$$;

create function note_post_links(kind text, id text, version integer, texts text[]) returns void
language plpgsql as $$
declare
  linked text[] := array(
    select distinct each from unnest(texts) as one, posts_linked_in(one) as each order by each);
begin
  delete from post_links
  where subject_kind = kind and subject_id = id and number = version and slug <> all (linked);
  insert into post_links (slug, subject_kind, subject_id, number)
  select each, kind, id, version from unnest(linked) as each
  on conflict do nothing;
end $$;

create function forget_post_links() returns trigger language plpgsql as $$
begin
  delete from post_links where subject_kind = tg_argv[0] and subject_id = to_jsonb(old)->>tg_argv[1];
  return null;
end $$;

-- The working copy, and what is public or will be.
create function note_links_of_post() returns trigger language plpgsql as $$
begin
  perform note_post_links('post', new.id::text, 0, array[
    new.draft->>'body', case when new.published_at is not null then new.body end]);
  return null;
end $$;
create trigger posts_links_noted after insert on posts
  for each row execute function note_links_of_post();
create trigger posts_links_noted_anew after update of draft, body, published_at on posts
  for each row when (
    old.draft->>'body' is distinct from new.draft->>'body'
    or old.body is distinct from new.body
    or (old.published_at is null) <> (new.published_at is null)
  ) execute function note_links_of_post();
create trigger posts_links_forgotten after delete on posts
  for each row execute function forget_post_links('post', 'id');

create function note_links_of_page() returns trigger language plpgsql as $$
begin
  perform note_post_links('legal_page', new.id::text, 0, array[new.draft->>'body']);
  return null;
end $$;
create trigger legal_pages_links_noted after insert or update of draft on legal_pages
  for each row execute function note_links_of_page();
create trigger legal_pages_links_forgotten after delete on legal_pages
  for each row execute function forget_post_links('legal_page', 'id');

create function note_links_of_version() returns trigger language plpgsql as $$
begin
  perform note_post_links('legal_page', new.page_id::text, new.number, array[new.body]);
  return null;
end $$;
create trigger legal_page_versions_links_noted after insert on legal_page_versions
  for each row execute function note_links_of_version();

create function note_links_of_settings() returns trigger language plpgsql as $$
begin
  perform note_post_links('settings', new.slug, 0, links_made_of(new.value));
  return null;
end $$;
create trigger settings_links_noted after insert or update of value on settings
  for each row execute function note_links_of_settings();
create trigger settings_links_forgotten after delete on settings
  for each row execute function forget_post_links('settings', 'slug');

create function note_links_of_campaign() returns trigger language plpgsql as $$
begin
  perform note_post_links('campaign', new.id::text, 0, array[new.body]);
  return null;
end $$;
create trigger campaigns_links_noted after insert or update of body on campaigns
  for each row execute function note_links_of_campaign();
create trigger campaigns_links_forgotten after delete on campaigns
  for each row execute function forget_post_links('campaign', 'id');
