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
  evidence text not null,
  complete_on_approval boolean not null,
  payout_fields jsonb not null,
  -- What identifies the account in them, normalised; null where no field does.
  payout_account_key text,
  -- What the sent amount was worth in the desk's reporting unit when it was created; null where no
  -- rate led to that unit.
  reporting_value numeric(60, 18),
  reporting_unit text,
  sender_fields jsonb not null default '[]',
  payee jsonb not null,
  transfer_reference text not null,
  pay_by timestamptz not null,
  payment_reference text,
  submitted_at timestamptz,
  undone_at timestamptz,
  -- When operators were told that nobody had opened the submission.
  unseen_told_at timestamptz,
  claimed_by uuid references users (id),
  claimed_until timestamptz,
  received_minor numeric(48, 0),
  approved_by uuid references users (id),
  approved_at timestamptz,
  payout_reference text,
  completed_at timestamptz,
  closed_reason text,
  terms_accepted_at timestamptz not null,
  state_changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- What a payout step cuts off is neither fee nor payout: it stays in the gross.
  constraint exchanges_payout_check check (payout_minor <= gross_minor - receive_fee_minor)
);
create index exchanges_of_user on exchanges (user_id, created_at desc, id desc);
create index exchanges_of_pair_by_user on exchanges (user_id, pair_id, created_at desc);
-- The same account of several customers counts together for their limits.
create index exchanges_of_payout_account on exchanges (payout_account_key, created_at desc)
  where payout_account_key is not null;
-- The customer's exchanges that count against "at most N open".
create index exchanges_open_of_user on exchanges (user_id)
  where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved', 'refund_pending');
create index exchanges_by_state on exchanges (state, submitted_at, id);
create index exchanges_newest on exchanges (created_at desc, id desc);
create index exchanges_to_expire on exchanges (pay_by) where state = 'awaiting_payment';
create index exchanges_latest on exchanges (state_changed_at desc) where state in ('approved', 'completed');
-- The claims of one operator; what is approved is claimed by the operator about to pay it out.
create index exchanges_claimed on exchanges (claimed_by) where state in ('under_review', 'approved');
-- Operators search by the beginning of a number and by exact amounts.
create index exchanges_number_prefix on exchanges (number text_pattern_ops);
create index exchanges_send_minor on exchanges (send_minor);
create index exchanges_payout_minor on exchanges (payout_minor);
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
create trigger exchange_events_append_only before update or delete on exchange_events
  for each row execute function refuse_change();
create trigger exchange_events_keep before truncate on exchange_events
  for each statement execute function refuse_change();

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
    'margin_absolute', e.margin_absolute)
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
  return new;
end $$;
create trigger exchanges_freeze before update on exchanges
  for each row execute function freeze_exchange();

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
