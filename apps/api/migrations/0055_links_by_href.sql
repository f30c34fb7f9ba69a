-- A post is linked to where an address stands in `href`: words that only name it, such as a line
-- of code or a rule for crawlers, lead nobody there. A link that names a host leads to that
-- one. Which is the site's own the settings of the process say, so the host is noted: `host/slug`.

-- Of HTML as the cleaner leaves it: `>` and `"` of what people write stand there in other signs.
create or replace function posts_linked_in(words text) returns setof text
language sql immutable strict parallel safe as $$
  select distinct lower(concat_ws('/', found[1], found[2]))
  from string_to_table(words, '<a ') with ordinality as parts (part, place),
    regexp_match(part, '^[^>]*href="(?:[A-Za-z]+://([^/?#"]+))?/blog/([A-Za-z0-9-]{1,80})/?["?#]') as found
  where place > 1 and found is not null
$$;

-- Settings hold no HTML but fields: read as the links that pages make of them.
create or replace function links_made_of(value jsonb) returns text[]
language sql immutable strict parallel safe as $$
  select array_agg(format('<a href="%s">', href #>> '{}'))
  from jsonb_path_query(value, 'strict $.**.href') as href
$$;
create or replace function note_links_of_settings() returns trigger language plpgsql as $$
begin
  perform note_post_links('settings', new.slug, 0, links_made_of(new.value));
  return null;
end $$;

-- All is read anew. Who saves a text meanwhile waits: else a link that comes with it could be lost.
lock table post_links in share row exclusive mode;
delete from post_links;
insert into post_links (slug, subject_kind, subject_id, number)
select slug, kind, id, number from (
  select 'post' as kind, id::text as id, 0 as number, draft->>'body' as words from posts
  union all
  select 'post', id::text, 0, body from posts where published_at is not null
  union all
  select 'legal_page', id::text, 0, draft->>'body' from legal_pages
  union all
  select 'legal_page', page_id::text, number, body from legal_page_versions
  union all
  select 'settings', slug, 0, unnest(links_made_of(value)) from settings
  union all
  select 'campaign', id::text, 0, body from campaigns
) as written
cross join lateral posts_linked_in(written.words) as slug
on conflict do nothing;
