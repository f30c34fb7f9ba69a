-- What each person has uploaded as proofs, for their daily quota: rows are deleted after 24 hours.
create table proof_uploads (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  size_bytes integer not null check (size_bytes >= 0),
  received_at timestamptz not null default clock_timestamp()
);
create index proof_uploads_user on proof_uploads (user_id, received_at);
create index proof_uploads_age on proof_uploads (received_at);
