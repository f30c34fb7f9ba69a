-- The console's list is filtered by the tags of working copies; without a column of
-- their own each row's whole text would have to be unpacked to see them.
alter table posts add column draft_tags jsonb not null
  generated always as (coalesce(draft->'tags', '[]'::jsonb)) stored;
create index posts_draft_tags on posts using gin (draft_tags);
