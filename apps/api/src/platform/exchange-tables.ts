/** The tables of exchanges and their proofs, as the migrations leave them. */
import type { Generated } from 'kysely';
import type { Decimal, Json, Minor, Stamp } from './columns.ts';
import type { LineJson } from './money-tables.ts';

export type StateName =
  | 'awaiting_payment'
  | 'payment_submitted'
  | 'under_review'
  | 'on_hold'
  | 'approved'
  | 'completed'
  | 'cancelled'
  | 'expired'
  | 'rejected'
  | 'refund_pending'
  | 'refunded';

export interface PayeeJson {
  label: string;
  details: LineJson[];
  instructions: string;
  qr: string | null;
}

export interface ExchangesTable {
  id: string;
  number: string;
  user_id: string;
  pair_id: string;
  quote_id: string;
  state: Generated<StateName>;
  version: Generated<number>;
  send_currency_id: string;
  receive_currency_id: string;
  send_minor: Minor;
  send_fee_minor: Minor;
  rate: Decimal;
  rate_digits: number;
  gross_minor: Minor;
  receive_fee_minor: Minor;
  payout_minor: Minor;
  mid_rate: Decimal | null;
  mid_source: string | null;
  mid_as_of: Date | null;
  mid_value_minor: Minor | null;
  margin_percent: Decimal;
  margin_absolute: Generated<Decimal>;
  evidence: 'proof' | 'reference' | 'either';
  complete_on_approval: boolean;
  payout_fields: Json<LineJson[]>;
  sender_fields: Json<LineJson[]>;
  payee: Json<PayeeJson>;
  transfer_reference: string;
  pay_by: Date;
  payment_reference: string | null;
  submitted_at: Date | null;
  undone_at: Date | null;
  claimed_by: string | null;
  claimed_until: Date | null;
  received_minor: Minor | null;
  approved_by: string | null;
  approved_at: Date | null;
  payout_reference: string | null;
  completed_at: Date | null;
  closed_reason: string | null;
  terms_accepted_at: Date;
  state_changed_at: Stamp;
  created_at: Stamp;
}

export interface ExchangeEventsTable {
  id: Generated<number>;
  exchange_id: string;
  action: string;
  from_state: StateName | null;
  to_state: StateName;
  actor_kind: 'customer' | 'operator' | 'system';
  actor_id: string | null;
  reason: string | null;
  data: Json<Record<string, unknown>>;
  at: Stamp;
}

export interface ProofsTable {
  id: string;
  exchange_id: string;
  uploaded_by: string;
  sha256: Buffer;
  original_name: string;
  content_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';
  size_bytes: number;
  stored_name: string;
  view_name: string | null;
  created_at: Stamp;
}

export interface ProofUploadsTable {
  id: Generated<number>;
  user_id: string;
  size_bytes: number;
  received_at: Generated<Date>;
}

export interface ReconciliationsTable {
  id: Generated<number>;
  at: Date;
  balanced: boolean;
  differences: Json<unknown[]>;
}
