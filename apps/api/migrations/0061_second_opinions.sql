-- A rate that waits is kept together with what other providers say of the same two units: who, the
-- figure as text in the direction of the question, and when. Rows from before have none.
alter table rate_quarantine
  add column opinions jsonb check (jsonb_typeof(opinions) = 'array');
