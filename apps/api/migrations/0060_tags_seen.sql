-- Fillers count as letters, and nothing is seen of them: a tag may not begin with one by now. Those of
-- before lose them, and are gone where nothing else is left.
create or replace function pg_temp.seen(given text[]) returns text[] language sql as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select tag, min(place) as place
    from (
      select ltrim(tag, U&'\115F\1160\3164\FFA0 ') as tag, place
      from unnest(given) with ordinality as g (tag, place)
    ) as bare
    where tag <> ''
    group by tag
  ) as once
$$;

update posts set tags = pg_temp.seen(tags) where tags <> pg_temp.seen(tags);
update posts
set draft = jsonb_set(draft, '{tags}', to_jsonb(seen))
from (
  select id as post_id, pg_temp.seen(array(select jsonb_array_elements_text(draft_tags))) as seen
  from posts
) as mended
where id = post_id and draft_tags <> to_jsonb(seen);
