-- How many posts have a tag, as it is spelled: in working copies (`written`), and among what is
-- public or will be (`shown`). Counted anew, each list of tags would take longer with each post.
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

insert into post_tags (tag, written, shown)
select tag, sum(written), sum(shown) from (
  select jsonb_array_elements_text(draft_tags) as tag, 1 as written, 0 as shown from posts
  union all
  select unnest(tags), 0, 1 from posts where published_at is not null
) as each
group by tag;

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

-- The index of the site map goes through all addresses: it reads them here, not the posts.
create index posts_site_map on posts (slug) include (published_at, updated_at)
  where published_at is not null and canonical is null;

-- A revision says whether the post was a draft, scheduled or published: from when it was, or was
-- to be, public at that moment. Of before, the audit log tells it.
alter table post_revisions add column published_at timestamptz;
update post_revisions r
set published_at = coalesce(
  (
    select (e.data->>'published_at')::timestamptz from audit_events e
    where e.subject_kind = 'post' and e.subject_id = r.post_id::text
      and case when r.reason = 'published' then e.action = 'blog.published'
        else e.action in ('blog.published', 'blog.unpublished') and e.at <= r.at end
    order by case when r.reason = 'published' then abs(extract(epoch from e.at - r.at)) end, e.id desc
    limit 1
  ),
  case when r.reason = 'published' then r.at end
);
