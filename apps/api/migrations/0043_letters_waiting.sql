-- Letters whose job is gone are looked for in each queue by itself, however many of a
-- paused campaign wait in theirs.
create index letters_waiting on letters (queue, created_at) where state = 'waiting';
