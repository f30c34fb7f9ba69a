-- What caused a posting: the event of an exchange ('event:123'), and later a receipt, payout or
-- refund. Each kind is posted at most once for its cause; another cause may post the same kind
-- again, so a late receipt can hold the payout anew and a reopened exchange can pay again.
alter table ledger_transactions add column cause text;
alter table ledger_transactions disable trigger ledger_transactions_append_only;
update ledger_transactions set cause = 'exchange:' || exchange_id where exchange_id is not null;
alter table ledger_transactions enable trigger ledger_transactions_append_only;
alter table ledger_transactions
  add constraint ledger_transactions_caused check (exchange_id is null or cause is not null);
drop index ledger_transactions_once;
create unique index ledger_transactions_once on ledger_transactions (cause, kind)
  where cause is not null;

-- An entry's number is drawn under its account's lock, so that the entries of an account, in the
-- order of their numbers, add up line by line. Drawn before it, a posting that waited for the lock
-- would stand before the one that it waited for.
alter table ledger_entries alter column id drop identity;
create sequence ledger_entry_numbers as bigint owned by ledger_entries.id;
select setval('ledger_entry_numbers', coalesce(max(id), 0) + 1, false) from ledger_entries;

-- Entries from before stand in the order in which they were asked for; of them only the sum is known.
do $$ begin
  execute format('alter table ledger_accounts add column numbered_from bigint not null default %s',
    (select last_value from ledger_entry_numbers));
end $$;
alter table ledger_accounts alter column numbered_from set default 1;

create or replace function ledger_move_balance() returns trigger language plpgsql as $$
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

-- What a comparison found decides about approvals: it is recorded once. Old records are deleted.
create trigger reconciliations_recorded before update on reconciliations
  for each row execute function refuse_change();

-- The figures that are frozen when an exchange is created.
create function exchange_figures(e exchanges) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'send_minor', e.send_minor, 'send_fee_minor', e.send_fee_minor, 'rate', e.rate,
    'rate_digits', e.rate_digits, 'gross_minor', e.gross_minor,
    'receive_fee_minor', e.receive_fee_minor, 'payout_minor', e.payout_minor,
    'mid_rate', e.mid_rate, 'mid_source', e.mid_source, 'mid_as_of', e.mid_as_of,
    'mid_value_minor', e.mid_value_minor, 'margin_percent', e.margin_percent,
    'margin_absolute', e.margin_absolute)
$$;

-- The one way to change them: a recalculation, recorded in the same transaction.
create table exchange_recalculations (
  id bigint generated always as identity primary key,
  exchange_id uuid not null references exchanges (id),
  old_figures jsonb not null,
  new_figures jsonb not null,
  actor_id uuid,
  -- Of the whole transaction, also within a savepoint.
  transaction_id xid8 not null,
  at timestamptz not null
);
create index exchange_recalculations_exchange on exchange_recalculations (exchange_id, id);
create function stamp_recalculation() returns trigger language plpgsql as $$
begin
  new.transaction_id := pg_current_xact_id();
  new.at := clock_timestamp();
  return new;
end $$;
create trigger exchange_recalculations_stamp before insert on exchange_recalculations
  for each row execute function stamp_recalculation();
create trigger exchange_recalculations_append_only before update or delete on exchange_recalculations
  for each row execute function refuse_change();
create trigger exchange_recalculations_keep before truncate on exchange_recalculations
  for each statement execute function refuse_change();

create function freeze_exchange() returns trigger language plpgsql as $$
begin
  if (new.id, new.number, new.pair_id, new.quote_id, new.send_currency_id, new.receive_currency_id)
    is distinct from
    (old.id, old.number, old.pair_id, old.quote_id, old.send_currency_id, old.receive_currency_id)
  then
    raise exception 'an exchange does not become another one' using errcode = 'restrict_violation';
  end if;
  if exchange_figures(new) is distinct from exchange_figures(old) and not exists (
    select from exchange_recalculations
    where exchange_id = new.id and transaction_id = pg_current_xact_id()
      and old_figures = exchange_figures(old) and new_figures = exchange_figures(new))
  then
    raise exception 'the amounts, rate and fees of exchange % are frozen', old.number
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger exchanges_freeze before update on exchanges
  for each row execute function freeze_exchange();
create trigger exchanges_keep before delete or truncate on exchanges
  for each statement execute function refuse_change();
