-- Pictures that only the public version of a post shows are used too.
insert into media_uses (media_id, subject_kind, subject_id, label, href)
select distinct m.id, 'post', p.id::text, 'Post “' || coalesce(p.draft->>'title', p.title) || '”', '/admin/blog/' || p.id
from posts p
cross join lateral regexp_matches(p.body || ' ' || coalesce(p.cover, ''), '/media/([a-z0-9]{16})(?=-[0-9])', 'g') as shown (names)
join media m on m.key = shown.names[1]
where p.published_at is not null
on conflict do nothing;

-- A post that changed its address while it was off the site left none behind.
insert into post_redirects (slug, post_id)
select distinct on (r.content->>'slug') r.content->>'slug', r.post_id
from post_revisions r
where r.reason = 'published' and not exists (select from posts p where p.slug = r.content->>'slug')
order by r.content->>'slug', r.at desc
on conflict do nothing;

-- The console finds a post by the title of its working copy, too; unpacked and read
-- anew for each row, every search would take longer with each post.
alter table posts add column draft_search tsvector not null
  generated always as (to_tsvector('simple', coalesce(draft->>'title', ''))) stored;
create index posts_draft_search on posts using gin (draft_search);
