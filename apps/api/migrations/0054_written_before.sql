-- Of what was written before: its links to posts, and the pictures of the custom style sheet, now
-- and in earlier versions of it. Nothing is locked but the rows that are added.
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
  select 'settings', slug, 0, value::text from settings
  union all
  select 'campaign', id::text, 0, body from campaigns
) as written
cross join lateral posts_linked_in(written.words) as slug
on conflict do nothing;

insert into media_uses (media_id, subject_kind, subject_id, label, href, past)
select distinct m.id, 'settings', 'custom-css', 'Custom CSS', '/admin/settings/custom-css', kept.past
from (
  select value::text as words, false as past from settings where slug = 'custom-css'
  union all
  select concat(before, value), true from setting_changes where slug = 'custom-css'
) as kept
cross join lateral string_to_table(kept.words, '/media/') as part
join media m on m.key = left(part, 16)
where part ~ '^[a-z0-9]{16}-[0-9]'
on conflict do nothing;
