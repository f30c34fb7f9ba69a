-- A transaction without entries moves nothing and tells of something all the
-- same: refused at commit, as an unbalanced one is.
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
