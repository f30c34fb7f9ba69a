-- The words of answers and of notes alike, since 0064: the name says so. What the column `search` is
-- made of, and its index, follow by themselves.
alter table contact_submissions rename column replies to entry_words;

-- Links to legal pages are noted too: these stand at the root of the site, so with a `/` before the slug.
-- No host is longer than 253 characters: what is leads nowhere, and had no place in the index.
create or replace function posts_linked_in(words text) returns setof text
language sql immutable strict parallel safe as $$
  select distinct lower(concat_ws('/', found[1], case when found[2] is null then '/' else '' end || found[3]))
  from string_to_table(words, '<a ') with ordinality as parts (part, place),
    regexp_match(part,
      '^[^>]*href="(?:[A-Za-z]+://([^/?#"]{1,253}))?/(blog/)?([A-Za-z0-9-]{1,80})/?["?#]') as found
  where place > 1 and found is not null
$$;

-- All is read anew. Who saves a text meanwhile waits: else a link that comes with it could be lost.
lock table post_links in share row exclusive mode;
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
