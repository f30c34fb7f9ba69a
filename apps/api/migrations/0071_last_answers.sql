-- What a provider said last, be it to a run or to a test of its stored key: when the asking began, and
-- the code of its failure, null where it answered. Of what was said before this a run's word is known.
alter table rate_provider_states
  add column answer_at timestamptz,
  add column answer_to text check (answer_to in ('run', 'test')),
  add column answer_failure text;

update rate_provider_states
set answer_at = last_failure_at, answer_to = 'run', answer_failure = last_failure, unusable = null
where last_failure_at > coalesce(last_success_at, '-infinity') and last_failure is not null;

update rate_provider_states
set answer_at = last_success_at, answer_to = 'run'
where last_success_at >= coalesce(last_failure_at, '-infinity');
