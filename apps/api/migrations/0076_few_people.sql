-- The few among many, in the order of the console's list. Those whose address
-- is not confirmed have an index already.
create index users_admins on users (created_at desc, id desc) where role = 'admin';
create index users_disabled on users (created_at desc, id desc) where disabled_at is not null;
