-- What other providers say of a rate that waits is told with their own time. What was kept without
-- one, before they had it, is told no more.
update rate_quarantine
set opinions = null
where exists (
  select from jsonb_array_elements(opinions) as opinion
  where not opinion ? 'as_of'
);
