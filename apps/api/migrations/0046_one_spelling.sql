-- Tags that differ by their case alone become one, as the oldest post spells it.
create temporary table spellings on commit drop as
select distinct on (lower(tag)) lower(tag) as name, tag
from posts, lateral (
  select unnest(tags) as tag union all select jsonb_array_elements_text(draft_tags)
) as each
order by lower(tag), id;

create function pg_temp.spelled(given text[]) returns text[] language sql as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select s.tag, min(g.place) as place
    from unnest(given) with ordinality as g (tag, place)
    join spellings s on s.name = lower(g.tag)
    group by s.tag
  ) as once
$$;

update posts set tags = pg_temp.spelled(tags) where tags <> pg_temp.spelled(tags);
update posts
set draft = jsonb_set(draft, '{tags}', to_jsonb(spelled))
from (
  select id as post_id, pg_temp.spelled(array(select jsonb_array_elements_text(draft_tags))) as spelled
  from posts
) as mended
where id = post_id and draft_tags <> to_jsonb(spelled);
