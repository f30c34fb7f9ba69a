-- Sessions that have just ended, for a few minutes: an answer that was asked for with one of them gives
-- no cookies, since those that took its place may be on their way to the browser.
create table ended_sessions (
  id_hash bytea primary key,
  ended_at timestamptz not null default now()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);

create function note_ended_session() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (id_hash) values (old.id_hash) on conflict do nothing;
  return null;
end
$$;
create trigger sessions_ended after delete on sessions
  for each row execute function note_ended_session();
