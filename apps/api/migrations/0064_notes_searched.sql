-- What the desk has noted is searched with the message too: its words stand with those of the answers.
update contact_submissions as s
set replies = written.words
from (
  select submission_id, string_agg(body, ' ' order by at, id) as words
  from contact_entries group by submission_id
) as written
where s.id = written.submission_id and s.replies <> written.words;
