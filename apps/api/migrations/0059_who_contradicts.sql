-- A rate that is contradicted waits together with the name of who contradicts it: the provider whose
-- rate would have been believed. Rows from before have none.
alter table rate_quarantine
  add column contradicted_by text check (reason = 'contradicted' or contradicted_by is null);
