-- Which texts link to which post, by the address in the link: noted as each text is saved, so that
-- nobody reads all of them before a post goes. Texts of before follow in the next file, when these
-- triggers are there already: no saving is missed, and none waits for the reading.
create table post_links (
  -- In small letters, as the site finds it. It may be the address of no post, or of none yet.
  slug text not null,
  subject_kind text not null check (subject_kind in ('post', 'legal_page', 'settings', 'campaign')),
  subject_id text not null,
  -- The version of a legal page; 0 for its working copy, and for what has no versions.
  number integer not null default 0,
  primary key (slug, subject_kind, subject_id, number)
);
create index post_links_subject on post_links (subject_kind, subject_id, number);

-- No longer ones than a post's address may be.
create function posts_linked_in(words text) returns setof text
language sql immutable strict parallel safe as $$
  select distinct lower(substring(part from '^[A-Za-z0-9-]+'))
  from string_to_table(words, '/blog/') with ordinality as parts (part, place)
  where place > 1 and part ~ '^[A-Za-z0-9-]{1,80}(?![A-Za-z0-9-])'
$$;

-- In the place of those before; the same ones are not touched.
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

-- A version stays as it is.
create function note_links_of_version() returns trigger language plpgsql as $$
begin
  perform note_post_links('legal_page', new.page_id::text, new.number, array[new.body]);
  return null;
end $$;
create trigger legal_page_versions_links_noted after insert on legal_page_versions
  for each row execute function note_links_of_version();

create function note_links_of_settings() returns trigger language plpgsql as $$
begin
  perform note_post_links('settings', new.slug, 0, array[new.value::text]);
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
