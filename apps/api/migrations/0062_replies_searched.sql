-- What the desk has answered is searched with the message. Its words stand beside it, since an index
-- is of one table; they go with the words of the message.
alter table contact_submissions add column replies text not null default '';
update contact_submissions as s
set replies = written.words
from (
  select submission_id, string_agg(body, ' ' order by at, id) as words
  from contact_entries where kind = 'reply' group by submission_id
) as written
where s.id = written.submission_id;

-- Of very many replies the last: a column of words has an end.
alter table contact_submissions drop column search;
alter table contact_submissions add column search tsvector not null generated always as (
  to_tsvector('simple', searched_words(name || ' ' || email || ' ' || exchange_number || ' '
    || message || ' ' || right(replies, 200000)))
) stored;
create index contact_submissions_search on contact_submissions using gin (search);
