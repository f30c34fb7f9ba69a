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
  evidence text not null,
  complete_on_approval boolean not null,
  payout_fields jsonb not null,
  sender_fields jsonb not null default '[]',
  payee jsonb not null,
  transfer_reference text not null,
  pay_by timestamptz not null,
  payment_reference text,
  submitted_at timestamptz,
  undone_at timestamptz,
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
  check (gross_minor - receive_fee_minor = payout_minor)
);
create index exchanges_of_user on exchanges (user_id, created_at desc, id desc);
create index exchanges_by_state on exchanges (state, submitted_at, id);
create index exchanges_newest on exchanges (created_at desc, id desc);
create index exchanges_to_expire on exchanges (pay_by) where state = 'awaiting_payment';
create index exchanges_latest on exchanges (state_changed_at desc) where state in ('approved', 'completed');
create index exchanges_of_pair_by_user on exchanges (user_id, pair_id, created_at desc);

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

-- The file a customer uploads to show that they paid. The original is kept and
-- hashed; people are shown the re-encoded copy.
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
