-- Who gets the newsletter: an address, asked for and confirmed. How many there
-- are in each state is counted as they change, since nobody counts 100,000 rows
-- for a page.
create table subscribers (
  id uuid primary key,
  email text not null,
  locale text not null default 'en',
  state text not null check (state in ('pending', 'confirmed', 'left', 'bounced')),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  left_at timestamptz
);
create unique index subscribers_email on subscribers (lower(email) text_pattern_ops);
create index subscribers_newest on subscribers (asked_at desc, id desc);
create index subscribers_state on subscribers (state, asked_at desc, id desc);
create index subscribers_sending on subscribers (id) where state = 'confirmed';

create table subscriber_counts (
  state text primary key check (state in ('pending', 'confirmed', 'left', 'bounced')),
  count bigint not null default 0
);
insert into subscriber_counts (state) values ('pending'), ('confirmed'), ('left'), ('bounced');

create function count_subscribers() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = new.state then return null; end if;
  -- One order of locking for everybody.
  update subscriber_counts c set count = c.count + d.delta
  from (
    select state, sum(delta) as delta from (
      select old.state as state, -1 as delta where tg_op <> 'INSERT'
      union all
      select new.state, 1 where tg_op <> 'DELETE'
    ) as changes group by state order by state
  ) as d
  where c.state = d.state;
  return null;
end $$;
create trigger subscribers_counted after insert or update of state or delete on subscribers
  for each row execute function count_subscribers();
