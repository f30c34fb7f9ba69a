-- A currency is something a customer can send or receive through one channel.
create table currencies (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  unit text not null check (unit ~ '^[A-Z0-9]{2,12}$'),
  name text not null,
  symbol text not null,
  channel text not null,
  kind text not null check (kind in ('bank', 'card', 'wallet', 'chain', 'cash')),
  decimals smallint not null check (decimals between 0 and 18),
  export_code text not null unique check (export_code ~ '^[A-Z0-9_]{2,20}$'),
  min_send numeric(48, 0) check (min_send > 0),
  max_send numeric(48, 0) check (max_send >= min_send),
  min_receive numeric(48, 0) check (min_receive > 0),
  max_receive numeric(48, 0) check (max_receive >= min_receive),
  sender_fields jsonb not null default '[]',
  payout_fields jsonb not null default '[]',
  payout_time text not null default '',
  active boolean not null default true,
  position integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Where the customer sends the money: a snapshot goes into each exchange.
create table payee_accounts (
  id uuid primary key,
  currency_id uuid not null references currencies (id),
  label text not null,
  details jsonb not null,
  instructions text not null default '',
  qr_template text,
  active boolean not null default true,
  position integer not null default 0
);
create index payee_accounts_currency on payee_accounts (currency_id, position);

-- What customers have saved to be paid out to; each exchange has its own copy. `fields` are the
-- answers by the key of the currency's field.
create table payout_accounts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  currency_id uuid not null references currencies (id),
  label text not null,
  fields jsonb not null,
  created_at timestamptz not null
);
create index payout_accounts_newest on payout_accounts (user_id, created_at desc, id desc);

-- What one admin must not do alone: payee accounts take effect when another admin confirms them, or
-- when their time has come; an adjustment only when another admin confirms it.
create table pending_changes (
  id uuid primary key,
  kind text not null check (kind in ('payee_accounts', 'adjustment')),
  currency_id uuid not null references currencies (id),
  before jsonb not null,
  after jsonb not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'effective', 'objected', 'lapsed')),
  asked_by uuid not null references users (id),
  asked_at timestamptz not null default now(),
  effective_at timestamptz,
  lapses_at timestamptz,
  -- Null while it waits, and where it was the time that decided.
  decided_by uuid references users (id),
  decided_at timestamptz,
  constraint pending_changes_end check (num_nonnulls(effective_at, lapses_at) = 1),
  constraint pending_changes_two_people check (
    state <> 'effective' or coalesce(decided_by <> asked_by, kind = 'payee_accounts'))
);
-- One change of a currency's accounts after the other: each replaces all of them.
create unique index pending_changes_payees on pending_changes (currency_id)
  where kind = 'payee_accounts' and state = 'waiting';
create index pending_changes_waiting on pending_changes (asked_at) where state = 'waiting';

-- Double entry. Debit is positive, credit is negative; available and held are
-- assets and never below zero. A balance changes only through an entry.
create table ledger_accounts (
  id integer generated always as identity primary key,
  currency_id uuid not null references currencies (id),
  kind text not null check (kind in
    ('available', 'held', 'customer', 'position', 'fees', 'spread', 'costs', 'adjustments')),
  balance numeric(48, 0) not null default 0,
  constraint ledger_accounts_covered check (kind not in ('available', 'held') or balance >= 0),
  unique (currency_id, kind),
  unique (id, currency_id)
);

-- The currencies whose low reserve were reported to admins, until they have recovered.
create table low_reserves (
  currency_id uuid primary key references currencies (id),
  told_at timestamptz not null default now()
);

create table ledger_transactions (
  id uuid primary key,
  kind text not null check (kind in (
    'hold', 'release', 'money_in', 'money_in_reversed', 'recalculation', 'conversion', 'tolerance',
    'conversion_reversed', 'tolerance_reversed', 'payout', 'payout_charge', 'payout_bounced',
    'return_charge', 'refund', 'excess_refund', 'refund_returned', 'adjustment')),
  -- What caused the posting: a receipt, payout or refund ('receipt:…'), the event of an exchange
  -- ('event:123'), or an adjustment that waited ('change:…'). Each kind is posted at most once for its cause; another cause may post the same kind
  -- again, so a late receipt can hold the payout anew and a reopened exchange can pay again.
  cause text,
  exchange_id uuid,
  -- Stored beside the id, since the ledger stands before exchanges and cannot look it up.
  exchange_number text,
  reference text,
  reason text,
  actor_id uuid,
  created_at timestamptz not null default now(),
  constraint ledger_transactions_caused check (exchange_id is null or cause is not null)
);
create index ledger_transactions_exchange on ledger_transactions (exchange_id);
create index ledger_transactions_created on ledger_transactions (created_at desc, id desc);
create unique index ledger_transactions_once on ledger_transactions (cause, kind)
  where cause is not null;

create table ledger_entries (
  -- Drawn under the account's lock by `ledger_move_balance`, so that the entries of an account, in the
  -- order of their numbers, add up line by line. Drawn before it, a posting that waited for the lock
  -- would stand before the one that it waited for.
  id bigint primary key,
  transaction_id uuid not null references ledger_transactions (id),
  account_id integer not null,
  currency_id uuid not null,
  amount numeric(48, 0) not null check (amount <> 0),
  balance_after numeric(48, 0) not null,
  foreign key (account_id, currency_id) references ledger_accounts (id, currency_id)
);
create sequence ledger_entry_numbers as bigint owned by ledger_entries.id;
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_account on ledger_entries (account_id, id);
create index ledger_entries_currency on ledger_entries (currency_id, id desc);

create function ledger_open_accounts() returns trigger language plpgsql as $$
begin
  insert into ledger_accounts (currency_id, kind)
  select new.id, unnest(array[
    'available', 'held', 'customer', 'position', 'fees', 'spread', 'costs', 'adjustments']);
  return null;
end $$;
create trigger currencies_open_accounts after insert on currencies
  for each row execute function ledger_open_accounts();

-- The entry moves the balance: the two cannot differ. The condition refuses an overdraft and says of
-- which account; the check constraint above stands behind it for every other way to write.
create function ledger_move_balance() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance = balance + new.amount
  where id = new.account_id
    and (kind not in ('available', 'held') or balance + new.amount >= 0)
  returning balance into new.balance_after;
  if not found then
    raise exception 'ledger account % does not cover an entry of %', new.account_id, new.amount
      using errcode = 'check_violation', table = 'ledger_accounts',
        constraint = 'ledger_accounts_covered',
        detail = (
          select concat_ws('|', a.kind, c.unit, c.channel)
          from ledger_accounts a join currencies c on c.id = a.currency_id
          where a.id = new.account_id);
  end if;
  new.id := nextval('ledger_entry_numbers');
  return new;
end $$;
create trigger ledger_entries_move before insert on ledger_entries
  for each row execute function ledger_move_balance();

create function ledger_guard_balance() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance changes only through a ledger entry'
      using errcode = 'restrict_violation';
  end if;
  if (new.id, new.currency_id, new.kind) is distinct from (old.id, old.currency_id, old.kind) then
    raise exception 'a ledger account does not change its nature' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_accounts_guard before update on ledger_accounts
  for each row execute function ledger_guard_balance();

create function ledger_open_empty() returns trigger language plpgsql as $$
begin
  if new.balance <> 0 then
    raise exception 'a ledger account opens empty' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_accounts_open_empty before insert on ledger_accounts
  for each row execute function ledger_open_empty();

create function ledger_check_sums() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_entries where transaction_id = new.transaction_id
    group by currency_id having sum(amount) <> 0
  ) then
    raise exception 'the entries of ledger transaction % do not sum to zero', new.transaction_id
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_check_sums();

-- A transaction without entries moves nothing and would still be a record of something: refused at
-- commit, as an unbalanced one is.
create function ledger_check_filled() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_entries where transaction_id = new.id) then
    raise exception 'ledger transaction % has no entries', new.id
      using errcode = 'check_violation', constraint = 'ledger_transactions_filled';
  end if;
  return null;
end $$;
create constraint trigger ledger_transactions_filled after insert on ledger_transactions
  deferrable initially deferred for each row execute function ledger_check_filled();

create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_keep before truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();
create trigger ledger_transactions_keep before truncate on ledger_transactions
  for each statement execute function refuse_change();
create trigger ledger_accounts_keep before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();

-- The outcome of each reconciliation. The last one decides in every process whether exchanges may be
-- approved or completed, so a row never changes. Old rows are deleted.
create table reconciliations (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  scope text not null check (scope in ('since_checkpoint', 'whole')),
  balanced boolean not null,
  differences jsonb not null
);
create index reconciliations_whole on reconciliations (id) where scope = 'whole';
create trigger reconciliations_recorded before update on reconciliations
  for each row execute function refuse_change();

-- A state of the ledger without differences, from which the next reconciliation goes on. Entries of an
-- account are numbered under its lock, so they commit in the order of their ids: whichever snapshot
-- contains `last_entry_id` contains every earlier entry of the account. This does not hold across
-- accounts, nor if the sequence of the numbers had a cache.
create table ledger_checkpoints (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('since_checkpoint', 'whole')),
  verified_at timestamptz not null
);
-- Of each account with entries; `balance` is the sum of its entries up to the last.
create table ledger_checkpoint_balances (
  checkpoint_id bigint not null references ledger_checkpoints (id) on delete cascade,
  account_id integer not null,
  last_entry_id bigint not null,
  balance numeric(48, 0) not null,
  primary key (checkpoint_id, account_id)
);

create function ledger_check_checkpoint() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_entries
    where id = new.last_entry_id and account_id = new.account_id and balance_after = new.balance)
  then
    raise exception 'the checkpoint of ledger account % is not the balance after an entry', new.account_id
      using errcode = 'check_violation', constraint = 'ledger_checkpoint_balances_entry';
  end if;
  return new;
end $$;
create trigger ledger_checkpoint_balances_entry before insert on ledger_checkpoint_balances
  for each row execute function ledger_check_checkpoint();

create function ledger_keep_checkpoint() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_checkpoints where id > old.id)
    or old.scope = 'whole'
      and not exists (select from ledger_checkpoints where id > old.id and scope = 'whole')
  then
    raise exception 'the last checkpoint and the last of the whole ledger stay'
      using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger ledger_checkpoints_last before delete on ledger_checkpoints
  for each row execute function ledger_keep_checkpoint();
-- They are deleted only with their checkpoint.
create function ledger_keep_checkpoint_balance() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_checkpoints where id = old.checkpoint_id) then
    raise exception 'the balances of a checkpoint stay' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger ledger_checkpoint_balances_stay before delete on ledger_checkpoint_balances
  for each row execute function ledger_keep_checkpoint_balance();
create trigger ledger_checkpoints_keep before update or truncate on ledger_checkpoints
  for each statement execute function refuse_change();
create trigger ledger_checkpoint_balances_keep before update or truncate on ledger_checkpoint_balances
  for each statement execute function refuse_change();
