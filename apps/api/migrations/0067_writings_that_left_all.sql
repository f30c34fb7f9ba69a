-- Whether a writing left the very value that it found is asked of all of a group's at each page of
-- their history: worked out once, so that no whole value is read for it.
alter table setting_changes add column same boolean not null
  generated always as (before is not null and before is not distinct from value) stored;
