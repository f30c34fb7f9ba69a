-- References of banks are compared without white space and invisible characters: a slip groups what a file does not.
create function reference_key(reference text) returns text
language sql immutable strict parallel safe
return lower(regexp_replace(normalize(reference, NFKC),
  '[\s\u00AD\u034F\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]+', '', 'g'));

-- A customer's accepted quote and everything that happens to it. Amounts, rate
-- and fees are frozen at creation; nothing here is ever deleted.
create table exchanges (
  id uuid primary key,
  number text not null unique,
  user_id uuid not null references users (id),
  pair_id uuid not null references pairs (id),
  quote_id uuid not null unique,
  state text not null default 'awaiting_payment' check (state in (
    'awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved', 'completed',
    'cancelled', 'expired', 'rejected', 'refund_pending', 'refunded')),
  version integer not null default 1,
  send_currency_id uuid not null references currencies (id),
  receive_currency_id uuid not null references currencies (id),
  send_minor numeric(48, 0) not null check (send_minor > 0),
  send_fee_minor numeric(48, 0) not null check (send_fee_minor >= 0),
  rate numeric(60, 18) not null check (rate > 0),
  rate_digits smallint not null,
  gross_minor numeric(48, 0) not null check (gross_minor > 0),
  receive_fee_minor numeric(48, 0) not null check (receive_fee_minor >= 0),
  payout_minor numeric(48, 0) not null check (payout_minor > 0),
  mid_rate numeric(60, 18),
  mid_source text,
  mid_as_of timestamptz,
  mid_value_minor numeric(48, 0),
  margin_percent numeric(12, 6) not null,
  margin_absolute numeric(60, 18) not null default 0,
  -- The fees and the payout step of the quote, for a recalculation at the locked rate.
  fee_terms jsonb not null,
  evidence text not null,
  complete_on_approval boolean not null,
  payout_fields jsonb not null,
  -- What identifies the account in them, normalised; null where no field does.
  payout_account_key text,
  -- What the sent amount was worth in the desk's reporting unit by the rates when it was created; null
  -- where no rate led to that unit.
  reporting_value numeric(60, 18),
  reporting_unit text,
  sender_fields jsonb not null default '[]',
  -- With the template of its QR code, since what is still to be paid changes with each receipt.
  payee jsonb not null,
  transfer_reference text not null,
  pay_by timestamptz not null,
  payment_reference text,
  submitted_at timestamptz,
  undone_at timestamptz,
  -- When operators got an email that the submission was not opened.
  unseen_reported_at timestamptz,
  claimed_by uuid references users (id),
  claimed_until timestamptz,
  -- Later the operator decides between the locked and the current rate.
  rate_held_until timestamptz,
  payout_changed_at timestamptz,
  -- Earlier payout accounts, each with when it was replaced.
  payout_history jsonb not null default '[]',
  -- Until then only an operator who did not approve may pay out.
  payout_waits_until timestamptz,
  -- Sums and marks of receipts, payouts and refunds, written by their triggers.
  received_minor numeric(48, 0) not null default 0,
  excess_minor numeric(48, 0) not null default 0,
  -- Of paid refunds.
  refunded_minor numeric(48, 0) not null default 0,
  is_late boolean not null default false,
  is_returned boolean not null default false,
  -- The conversion is posted; a payout that was sent back leaves it so.
  is_converted boolean not null default false,
  -- Received above (kept) or below (borne, negative) the amount that was converted.
  tolerated_minor numeric(48, 0) not null default 0,
  -- Until the customer opens the page, and until an operator answers or marks it as read.
  unread_by_customer boolean not null default false,
  unread_by_desk boolean not null default false,
  approved_by uuid references users (id) check (approved_by <> user_id),
  -- Where two operators approved.
  first_approved_by uuid references users (id)
    check (first_approved_by <> user_id and first_approved_by <> approved_by),
  approved_at timestamptz,
  completed_at timestamptz,
  closed_reason text,
  terms_accepted_at timestamptz not null,
  -- Of the terms' page then in force; null where there was none.
  terms_version integer,
  state_changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- What a payout step cuts off is neither fee nor payout: it stays in the gross.
  constraint exchanges_payout_check check (payout_minor <= gross_minor - receive_fee_minor)
);
-- With what a customer's exchanges are counted, filtered and summed by, without being read.
create index exchanges_of_user on exchanges (user_id, created_at desc, id desc)
  include (state, payout_account_key, send_currency_id, send_minor, reporting_unit, reporting_value);
-- The same account of several customers counts together for their limits.
create index exchanges_of_payout_account on exchanges (payout_account_key, created_at desc)
  where payout_account_key is not null;
-- Whether another customer used an account, however often its customer did.
create index exchanges_shared_account on exchanges (payout_account_key, user_id)
  where payout_account_key is not null;
-- The customer's exchanges that count against "at most N open".
create index exchanges_open_of_user on exchanges (user_id)
  where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved', 'refund_pending');
create index exchanges_by_state on exchanges (state, submitted_at, id);
create index exchanges_newest on exchanges (created_at desc, id desc);
create index exchanges_to_expire on exchanges (pay_by) where state = 'awaiting_payment';
create index exchanges_latest on exchanges (state_changed_at desc) where state in ('approved', 'completed');
-- The claims of one operator; what is approved is claimed by the operator about to pay it out.
create index exchanges_claimed on exchanges (claimed_by)
  where state in ('payment_submitted', 'under_review', 'on_hold', 'approved');
-- Operators search by the beginning of a number and by exact amounts.
create index exchanges_number_prefix on exchanges (number text_pattern_ops);
-- Many have the same amount, of which the newest are looked at.
create index exchanges_send_minor on exchanges (send_minor, created_at desc, id desc);
create index exchanges_payout_minor on exchanges (payout_minor, created_at desc, id desc);
-- By the beginning of a payment's reference or transaction hash, and of a payout account without its kind, of which
-- the newest are looked at too.
create index exchanges_payment_reference on exchanges (reference_key(payment_reference) text_pattern_ops);
create index exchanges_payout_account_number on exchanges
  (regexp_replace(payout_account_key, '^(account:[^:]*|[a-z]+):', '') text_pattern_ops, created_at desc, id desc);
-- The filters of the desk's list, each in the list's order.
create index exchanges_of_state on exchanges (state, created_at desc, id desc);
create index exchanges_of_pair on exchanges (pair_id, created_at desc, id desc);
create index exchanges_of_pair_state on exchanges (pair_id, state, created_at desc, id desc);
create index exchanges_unread on exchanges (created_at, id) where unread_by_desk;
-- What differs, came late or was sent back; the tolerance is applied to these few.
create index exchanges_returned on exchanges (created_at desc, id desc) where is_returned;
create index exchanges_late on exchanges (created_at desc, id desc) where is_late;
create index exchanges_over on exchanges (created_at desc, id desc)
  where received_minor - excess_minor > send_minor;
create index exchanges_part on exchanges (created_at desc, id desc)
  where received_minor > 0 and received_minor - excess_minor < send_minor;
-- What reconciliation compares with the ledger's held and owed amounts: open exchanges, and those with
-- received money that is neither converted nor given back.
create index exchanges_holding on exchanges (receive_currency_id) include (payout_minor, is_converted, user_id)
  where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved');
create index exchanges_unsettled on exchanges (send_currency_id)
  where received_minor > 0 and received_minor - refunded_minor
    <> case when is_converted then send_minor + tolerated_minor else 0 end;
create trigger exchanges_keep before delete or truncate on exchanges
  for each statement execute function refuse_change();

create table exchange_events (
  id bigint generated always as identity primary key,
  exchange_id uuid not null references exchanges (id),
  action text not null,
  from_state text,
  to_state text not null,
  actor_kind text not null check (actor_kind in ('customer', 'operator', 'system')),
  actor_id uuid,
  reason text,
  data jsonb not null default '{}',
  at timestamptz not null default clock_timestamp()
);
create index exchange_events_exchange on exchange_events (exchange_id, id);
-- What happened on a day.
create index exchange_events_at on exchange_events (at);
create trigger exchange_events_append_only before update or delete on exchange_events
  for each row execute function refuse_change();
create trigger exchange_events_keep before truncate on exchange_events
  for each statement execute function refuse_change();

-- Who claimed, approved or paid out, in the order of the desk's list: an operator's part of a million
-- exchanges is read page by page.
create table exchange_operators (
  operator_id uuid not null references users (id),
  created_at timestamptz not null,
  exchange_id uuid not null references exchanges (id),
  primary key (operator_id, created_at, exchange_id)
);
-- Where another filter leaves fewer exchanges than the operator has.
create index exchange_operators_exchange on exchange_operators (exchange_id, operator_id);
create function note_exchange_operator() returns trigger language plpgsql as $$
begin
  insert into exchange_operators (operator_id, created_at, exchange_id)
  select new.actor_id, e.created_at, e.id from exchanges e where e.id = new.exchange_id
  on conflict do nothing;
  return null;
end $$;
create trigger exchange_events_operator after insert on exchange_events for each row
  when (new.actor_kind = 'operator' and new.action in ('claim', 'approve', 'complete', 'pay_refund'))
  execute function note_exchange_operator();

-- The one way to change the frozen figures: a recalculation, recorded in the same transaction.
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

-- The figures that are frozen when an exchange is created.
create function exchange_figures(e exchanges) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'send_minor', e.send_minor, 'send_fee_minor', e.send_fee_minor, 'rate', e.rate,
    'rate_digits', e.rate_digits, 'gross_minor', e.gross_minor,
    'receive_fee_minor', e.receive_fee_minor, 'payout_minor', e.payout_minor,
    'mid_rate', e.mid_rate, 'mid_source', e.mid_source, 'mid_as_of', e.mid_as_of,
    'mid_value_minor', e.mid_value_minor, 'margin_percent', e.margin_percent,
    'margin_absolute', e.margin_absolute, 'fee_terms', e.fee_terms,
    'reporting_value', e.reporting_value)
$$;
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
  if pg_trigger_depth() < 2
    and (new.received_minor, new.excess_minor, new.refunded_minor, new.is_late, new.is_returned)
    is distinct from
    (old.received_minor, old.excess_minor, old.refunded_minor, old.is_late, old.is_returned)
  then
    raise exception 'the sums of exchange % come from its records', old.number
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger exchanges_freeze before update on exchanges
  for each row execute function freeze_exchange();

-- What really happened to money: many records for one exchange, never deleted; only a state changes,
-- forward, with what belongs to it.
create table exchange_receipts (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  currency_id uuid not null references currencies (id),
  amount_minor numeric(48, 0) not null check (amount_minor > 0),
  booked_on date not null,
  payer text,
  reference text,
  -- Its reference was recorded before, and the operator said that this is another payment.
  another_payment boolean not null,
  source text not null default 'operator' check (source in ('operator')),
  state text not null default 'recorded' check (state in ('recorded', 'reversed')),
  -- The state that a late receipt found the exchange in.
  late_from text check (late_from in ('cancelled', 'expired', 'rejected')),
  recorded_by uuid not null references users (id),
  at timestamptz not null,
  reversed_by uuid references users (id),
  reversed_at timestamptz,
  reversal_reason text
);
create index exchange_receipts_exchange on exchange_receipts (exchange_id, at);
create index exchange_receipts_reference on exchange_receipts (reference_key(reference) text_pattern_ops);
create unique index exchange_receipts_once on exchange_receipts (currency_id, reference_key(reference))
  where state = 'recorded' and not another_payment;

create table exchange_payouts (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  currency_id uuid not null references currencies (id),
  amount_minor numeric(48, 0) not null check (amount_minor > 0),
  account jsonb not null,
  reference text,
  another_payout boolean not null default false,
  -- What the desk bore for sending it and for its return.
  charge_minor numeric(48, 0) not null default 0 check (charge_minor >= 0),
  state text not null default 'to_pay' check (state in ('to_pay', 'sent', 'returned', 'cancelled')),
  at timestamptz not null,
  sent_at timestamptz,
  sent_by uuid references users (id),
  return_reason text,
  check (state in ('to_pay', 'cancelled') or (reference is not null and sent_at is not null))
);
create index exchange_payouts_exchange on exchange_payouts (exchange_id, at);
create index exchange_payouts_reference on exchange_payouts (reference_key(reference) text_pattern_ops);
create unique index exchange_payouts_one_open on exchange_payouts (exchange_id)
  where state in ('to_pay', 'sent');
create unique index exchange_payouts_once on exchange_payouts (currency_id, reference_key(reference))
  where state in ('sent', 'returned') and not another_payout;

create table exchange_refunds (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  currency_id uuid not null references currencies (id),
  kind text not null check (kind in ('whole', 'excess')),
  amount_minor numeric(48, 0) not null check (amount_minor > 0),
  -- Within the amount: the customer gets the rest.
  charge_minor numeric(48, 0) not null default 0
    check (charge_minor >= 0 and charge_minor < amount_minor),
  account text,
  -- The one it was to go to, where it was paid to another; here, since no event or log is ever erased.
  account_before text,
  reference text,
  reason text,
  -- The receipt after the decision that it gives back.
  receipt_id uuid references exchange_receipts (id),
  state text not null default 'awaiting_account'
    check (state in ('awaiting_account', 'to_pay', 'paid', 'returned', 'cancelled')),
  at timestamptz not null,
  paid_at timestamptz,
  paid_by uuid references users (id),
  return_reason text,
  check (state not in ('to_pay', 'paid', 'returned') or account is not null),
  check (state not in ('paid', 'returned') or (reference is not null and paid_at is not null))
);
create index exchange_refunds_exchange on exchange_refunds (exchange_id, at);
create index exchange_refunds_reference on exchange_refunds (reference_key(reference) text_pattern_ops);
-- An account is free text, with spaces anywhere: what follows each beginning of a word, without them.
-- As of `customer_words`, an index does not follow a change of the function.
create function account_words(account text) returns tsvector
language sql immutable parallel safe
return (select array_to_tsvector(array_agg(distinct left(
    regexp_replace(substr(t.lowered, w.at), '[^a-z0-9]', '', 'g'), 60)))
  from (select lower(left(account, 500)) as lowered) t,
    generate_series(1, length(t.lowered)) w (at)
  where substr(t.lowered, w.at, 1) ~ '[a-z0-9]'
    and (w.at = 1 or substr(t.lowered, w.at - 1, 1) !~ '[a-z0-9]'));
create index exchange_refunds_account on exchange_refunds using gin (account_words(account))
  where account is not null;
create index exchange_refunds_open on exchange_refunds (at, id)
  where state in ('awaiting_account', 'to_pay');
create unique index exchange_refunds_one_whole on exchange_refunds (exchange_id)
  where kind = 'whole' and state in ('awaiting_account', 'to_pay');

-- Arguments: the columns that may change, the allowed changes of the state, and the columns whose
-- personal data may be erased.
create function keep_record() returns trigger language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
begin
  if after - string_to_array(tg_argv[0], ' ') - string_to_array(tg_argv[2], ' ')
      <> before - string_to_array(tg_argv[0], ' ') - string_to_array(tg_argv[2], ' ')
    or after->>'state' <> before->>'state'
      and (before->>'state') || '>' || (after->>'state') <> all (string_to_array(tg_argv[1], ' '))
    or exists (
      select from unnest(string_to_array(tg_argv[2], ' ')) as c
      where after->c <> before->c and after->c not in ('null', '""', '[]')
        and c <> all (string_to_array(tg_argv[0], ' ')))
  then
    raise exception 'a record of % does not change so', tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger exchange_receipts_kept before update on exchange_receipts for each row
  execute function keep_record('state reversed_by reversed_at reversal_reason', 'recorded>reversed', 'payer');
create trigger exchange_payouts_kept before update on exchange_payouts for each row
  execute function keep_record('state reference another_payout charge_minor sent_at sent_by return_reason',
    'to_pay>sent to_pay>cancelled sent>returned', 'account');
create trigger exchange_refunds_kept before update on exchange_refunds for each row
  execute function keep_record('state account account_before reference paid_at paid_by return_reason',
    'awaiting_account>to_pay awaiting_account>paid to_pay>paid paid>returned awaiting_account>cancelled to_pay>cancelled', '');

-- Writes the sums of an exchange where they change, under its lock, and refuses to give back more than was
-- received.
create function sum_exchange_records() returns trigger language plpgsql as $$
declare
  e exchanges;
  sums record;
begin
  select * into e from exchanges where id = new.exchange_id for update;
  select
    coalesce((select sum(amount_minor) from exchange_receipts
      where exchange_id = e.id and state = 'recorded'), 0) as received,
    coalesce((select sum(amount_minor) from exchange_refunds
      where exchange_id = e.id and kind = 'excess' and state not in ('returned', 'cancelled')), 0) as excess,
    coalesce((select sum(amount_minor) from exchange_refunds
      where exchange_id = e.id and state not in ('returned', 'cancelled')), 0) as promised,
    coalesce((select sum(amount_minor) from exchange_refunds
      where exchange_id = e.id and state = 'paid'), 0) as refunded,
    exists (select from exchange_receipts
      where exchange_id = e.id and state = 'recorded' and late_from is not null) as is_late,
    coalesce((
      select state = 'returned' from (
        select state, sent_at as left_at from exchange_payouts
        where exchange_id = e.id and sent_at is not null
        union all
        select state, paid_at from exchange_refunds
        where exchange_id = e.id and paid_at is not null) departed
      order by left_at desc limit 1), false) as is_returned
  into sums;
  if sums.promised > sums.received then
    raise exception 'the refunds of an exchange exceed its receipts'
      using errcode = 'check_violation', constraint = 'exchange_refunds_covered';
  end if;
  if (e.received_minor, e.excess_minor, e.refunded_minor, e.is_late, e.is_returned)
    is distinct from (sums.received, sums.excess, sums.refunded, sums.is_late, sums.is_returned)
  then
    update exchanges set received_minor = sums.received, excess_minor = sums.excess,
      refunded_minor = sums.refunded, is_late = sums.is_late, is_returned = sums.is_returned
    where id = e.id;
  end if;
  return null;
end $$;
create trigger exchange_receipts_summed after insert or update on exchange_receipts for each row
  execute function sum_exchange_records();
-- One that has not left yet is in no sum.
create trigger exchange_payouts_summed after insert or update on exchange_payouts for each row
  when (new.sent_at is not null) execute function sum_exchange_records();
create trigger exchange_refunds_summed after insert or update on exchange_refunds for each row
  execute function sum_exchange_records();
create trigger exchange_receipts_keep before delete or truncate on exchange_receipts
  for each statement execute function refuse_change();
create trigger exchange_payouts_keep before delete or truncate on exchange_payouts
  for each statement execute function refuse_change();
create trigger exchange_refunds_keep before delete or truncate on exchange_refunds
  for each statement execute function refuse_change();

-- Each approval by an operator. Above the threshold the first lasts until `until`, and the second
-- names it: the same act, approved by two different operators who are not the customer.
create table exchange_approvals (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  approved_by uuid not null references users (id),
  received_minor numeric(48, 0) not null check (received_minor >= 0),
  difference text check (difference in ('recalculate_locked', 'recalculate_current', 'refund_excess')),
  reference text,
  -- SHA-256 of the figures, receipts, body and payout account that were approved.
  hash bytea not null,
  first_id uuid unique references exchange_approvals (id),
  at timestamptz not null,
  until timestamptz
);
create index exchange_approvals_exchange on exchange_approvals (exchange_id, at);
create function check_approval() returns trigger language plpgsql as $$
begin
  if new.approved_by = (select user_id from exchanges where id = new.exchange_id)
    or new.first_id is not null and not exists (
      select from exchange_approvals f
      where f.id = new.first_id and f.exchange_id = new.exchange_id and f.approved_by <> new.approved_by
        and f.hash = new.hash and f.first_id is null and f.until > new.at)
  then
    raise exception 'an approval needs an operator who is neither the customer nor the first approver'
      using errcode = 'check_violation', constraint = 'exchange_approvals_by_others';
  end if;
  return new;
end $$;
create trigger exchange_approvals_checked before insert on exchange_approvals for each row
  execute function check_approval();
create trigger exchange_approvals_append_only before update or delete on exchange_approvals
  for each row execute function refuse_change();
create trigger exchange_approvals_keep before truncate on exchange_approvals
  for each statement execute function refuse_change();

-- What the desk asks the customer while the exchange is on hold.
create table exchange_questions (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  text text not null,
  wants text not null check (wants in ('answer', 'proof', 'payment')),
  asked_by uuid not null references users (id),
  at timestamptz not null,
  answer_by timestamptz not null,
  state text not null default 'open' check (state in ('open', 'answered', 'overdue', 'withdrawn')),
  answer text,
  ended_at timestamptz
);
create index exchange_questions_exchange on exchange_questions (exchange_id, at);
create unique index exchange_questions_one_open on exchange_questions (exchange_id) where state = 'open';
create index exchange_questions_due on exchange_questions (answer_by) where state = 'open';
create trigger exchange_questions_kept before update on exchange_questions for each row
  execute function keep_record('state answer ended_at', 'open>answered open>overdue open>withdrawn', 'text');

create table exchange_messages (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  by text not null check (by in ('customer', 'desk')),
  actor_id uuid not null references users (id),
  text text not null,
  at timestamptz not null
);
create index exchange_messages_exchange on exchange_messages (exchange_id, at);
create trigger exchange_messages_kept before update on exchange_messages for each row
  execute function keep_record('', '', 'text');
create trigger exchange_messages_keep before delete or truncate on exchange_messages
  for each statement execute function refuse_change();

-- Filters of the desk's list that an operator named. Without the search: it is a name or an address,
-- which the deletion of an account would have to find here.
create table exchange_views (
  id uuid primary key,
  operator_id uuid not null references users (id),
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null default now()
);
create unique index exchange_views_name on exchange_views (operator_id, lower(name));

-- What operators note about a customer, for as long as the answers of their exchanges are stored.
create table customer_notes (
  id uuid primary key,
  customer_id uuid not null references users (id),
  operator_id uuid not null references users (id),
  text text not null,
  at timestamptz not null
);
create index customer_notes_customer on customer_notes (customer_id, at);
create trigger customer_notes_append_only before update on customer_notes
  for each row execute function refuse_change();

-- The file a customer uploads to show that they paid. The original is stored and hashed; operators and
-- customers see the re-encoded copy.
create table proofs (
  id uuid primary key,
  exchange_id uuid not null references exchanges (id),
  uploaded_by uuid not null references users (id),
  sha256 bytea not null,
  original_name text not null,
  content_type text not null check (content_type in
    ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  size_bytes integer not null check (size_bytes between 1 and 5242880),
  stored_name text not null unique,
  view_name text,
  created_at timestamptz not null default now()
);
create index proofs_exchange on proofs (exchange_id, created_at);
create index proofs_same_file on proofs (sha256);

-- What each user has uploaded as proofs, for their daily quota: rows are deleted after 24 hours.
create table proof_uploads (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  size_bytes integer not null check (size_bytes >= 0),
  received_at timestamptz not null default clock_timestamp()
);
create index proof_uploads_user on proof_uploads (user_id, received_at);
create index proof_uploads_age on proof_uploads (received_at);

-- The dashboard's figures of each day in the desk's time zone, rolled up until two days after its end. Events
-- and entries never change, so a correction counts on the day on which it was made.
create table daily_figures (
  day date primary key,
  created integer not null,
  paid integer not null,
  completed integer not null,
  unpaid integer not null,
  refused integer not null,
  -- Seconds; null on a day without any.
  approval_median integer,
  approval_p90 integer,
  payout_median integer,
  payout_p90 integer,
  rolled_up_at timestamptz not null
);
-- Its money by currency: what was sent in completed exchanges, and what the ledger's fees, spread and costs
-- left. The value is of the time: of the exchanges' creation, or of the roll-up for the margin.
create table daily_amounts (
  day date not null references daily_figures (day),
  kind text not null check (kind in ('volume', 'margin')),
  currency_id uuid not null references currencies (id),
  minor numeric(48, 0) not null,
  reporting_unit text,
  reporting_value numeric(60, 18)
);
create index daily_amounts_day on daily_amounts (day);
