-- A picture that is shown no more may still be in what can be put back: earlier revisions of a
-- post, kept working copies of a legal page, earlier settings. `past` tells these from what is seen now.
-- All of that is read before the table is locked.
create temporary table kept_uses on commit drop as
select distinct m.id as media_id, kept.kind, kept.id, kept.label, kept.href
from (
  select 'post' as kind, p.id::text as id, 'Post “' || coalesce(p.draft->>'title', p.title) || '”' as label,
    '/admin/blog/' || p.id as href, r.content::text as words
  from post_revisions r join posts p on p.id = r.post_id
  union all
  select 'legal_page', p.id::text, 'Legal page “' || coalesce(p.draft->>'title', '') || '”',
    '/admin/legal-pages/' || p.id, c.content::text
  from legal_page_copies c join legal_pages p on p.id = c.page_id
  union all
  select 'settings', slug,
    case slug when 'seo' then 'Search engines and sharing' else 'Home page' end,
    '/admin/settings/' || slug, concat(before, value)
  from setting_changes where slug in ('home-page', 'seo')
) as kept
cross join lateral string_to_table(kept.words, '/media/') as part
join media m on m.key = left(part, 16)
where part ~ '^[a-z0-9]{16}-[0-9]';

alter table media_uses add column past boolean not null default false;
alter table media_uses drop constraint media_uses_pkey;
alter table media_uses add primary key (media_id, subject_kind, subject_id, past);

insert into media_uses (media_id, subject_kind, subject_id, label, href, past)
select media_id, kind, id, label, href, true from kept_uses
on conflict do nothing;
