-- What customers want to be told of by letter: that a pair's rate, as they would get it, has
-- reached a figure of theirs.
create table rate_alerts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  pair_id uuid not null references pairs (id) on delete cascade,
  direction text not null check (direction in ('at_least', 'at_most')),
  -- Units of the receive currency for one of the send currency.
  target numeric(60, 18) not null check (target > 0),
  -- Told each time the rate crosses the line, not only the first.
  repeats boolean not null default false,
  -- The next rate at or past the line is told. Taken away by the letter; an alert that repeats has
  -- it again once the rate was on the other side.
  armed boolean not null default true,
  -- No letter before this: one in a day, however often a rate crosses the line.
  quiet_until timestamptz,
  sent_at timestamptz,
  sent_rate numeric(60, 18) check (sent_rate > 0),
  created_at timestamptz not null default now(),
  unique (user_id, pair_id, direction, target),
  check ((sent_at is null) = (sent_rate is null)),
  check (armed or sent_at is not null)
);
-- The two questions of each check: which lines a pair's rate has reached, and which it has left.
create index rate_alerts_armed on rate_alerts (pair_id, direction, target) where armed;
create index rate_alerts_resting on rate_alerts (pair_id, direction, target)
  where repeats and not armed;
