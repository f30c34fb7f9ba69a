-- The jumps that wait for a yes or no, as the market needs them for its rates: whoever asks the questions
-- (rates) tells them to the market, which would have to read a table of a feature below it otherwise.
create table market_questions (
  unit text primary key,
  base text not null
);
insert into market_questions (unit, base)
select unit, base from rate_quarantine where decision is null;
