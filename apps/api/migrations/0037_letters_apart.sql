-- Letters are counted by what they are, too: those that strangers cause take
-- nothing from the ones that somebody's account needs.
alter table letter_counts
  add column kind text not null default '',
  drop constraint letter_counts_pkey,
  add primary key (recipient_hash, kind, hour);
alter table letter_counts alter column kind drop default;

alter table letters
  -- The server said that there is no such mailbox: nobody tries it again with the others.
  add column gone boolean not null default false,
  -- To somebody who is to be forgotten: it goes as soon as it is sent.
  add column fleeting boolean not null default false;
create index letters_dead on letters (created_at, id) where state = 'dead';
