-- The outcome of each reconciliation. The last one decides whether anything is
-- approved or completed, in every process.
create table reconciliations (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  balanced boolean not null,
  differences jsonb not null
);

-- The desk searches by the beginning of a number and by exact amounts.
create index exchanges_number_prefix on exchanges (number text_pattern_ops);
create index exchanges_send_minor on exchanges (send_minor);
create index exchanges_payout_minor on exchanges (payout_minor);
-- The customer's exchanges that count against "at most N open", and the claims of one operator.
create index exchanges_open_of_user on exchanges (user_id)
  where state in ('awaiting_payment', 'payment_submitted', 'under_review', 'on_hold', 'approved', 'refund_pending');
create index exchanges_claimed on exchanges (claimed_by) where state = 'under_review';
