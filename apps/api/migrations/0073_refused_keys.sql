-- When a provider did not accept its key, to a run or a test of the stored one; null once it has since.
alter table rate_provider_states add column refused_at timestamptz;

update rate_provider_states
set refused_at = case when answer_failure = 'invalid_key' then answer_at else last_failure_at end
where answer_failure = 'invalid_key'
  or (last_failure = 'invalid_key' and answer_failure is not null
    and last_failure_at > coalesce(last_success_at, '-infinity'));
