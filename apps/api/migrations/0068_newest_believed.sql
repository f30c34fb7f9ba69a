-- The newest of its own times that was ever believed of a provider, whoever's rate of the unit stands
-- now: what it dates before that is never believed. Of rates that another one has replaced by now
-- nothing is known any more.
create table market_newest (
  provider text not null,
  unit text not null,
  as_of timestamptz not null,
  primary key (provider, unit)
);
insert into market_newest (provider, unit, as_of)
  select provider, unit, as_of from market_rates;
