-- When a run last asked it, whatever came of it: a key that was set since then has not been used.
alter table rate_provider_states add column requested_at timestamptz;

update rate_provider_states set requested_at = greatest(last_success_at, last_failure_at);
