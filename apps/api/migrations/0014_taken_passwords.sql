-- The password that the desk has taken away from somebody, as its hash, until
-- they choose the next one: it must not be the same again. It opens nothing.
alter table users add column taken_password_hash text;
