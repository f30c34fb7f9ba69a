-- What a list says of who gets letters: by which columns it was read, and the words that
-- nobody here understands, with how many lines have each: they are not added.
alter table subscriber_imports
  add column not_understood integer not null default 0,
  add column unknown_words jsonb not null default '[]',
  add column address_column text,
  add column state_columns jsonb not null default '[]';

-- What waits was read when people who had left passed for subscribers: it is to be imported again.
delete from subscriber_import_rows r using subscriber_imports i
  where i.id = r.import_id and i.state = 'ready';
update subscriber_imports set state = 'failed', fault = 'interrupted' where state = 'ready';
