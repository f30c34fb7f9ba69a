-- Addresses are typed in capitals too, and are looked for when they are forgotten or
-- searched; and the console counts what was sent within a day, however many letters there are.
drop index letters_by_recipient;
create index letters_by_recipient on letters (lower(recipient), created_at desc, id desc);
create index letters_sent on letters (sent_at) where sent_at is not null;
