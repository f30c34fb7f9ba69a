/**
 * The tables as the migrations leave them. `numeric(48,0)` is a `bigint` of
 * minor units; other numerics are decimal strings; `int8` is a number, since
 * only counts and identities use it.
 */
import type { ColumnType, Generated } from 'kysely';

type Stamp = ColumnType<Date, Date | string | undefined, Date | string>;
type Minor = bigint;
type Decimal = string;
/** JSON columns are written as values; the driver serialises them. */
type Json<T> = ColumnType<T, T, T>;

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  password_hash: string | null;
  role: ColumnType<'user' | 'admin', 'user' | 'admin' | undefined, 'user' | 'admin'>;
  permissions: ColumnType<string[], string[] | undefined, string[]>;
  locale: Generated<string>;
  email_verified_at: Date | null;
  terms_accepted_at: Date | null;
  disabled_at: Date | null;
  last_seen_at: Date | null;
  created_at: Stamp;
}

export interface SessionsTable {
  id_hash: Buffer;
  user_id: string;
  remember: Generated<boolean>;
  ip: string | null;
  user_agent: string | null;
  created_at: Stamp;
  last_used_at: Stamp;
}

export interface SettingsTable {
  slug: string;
  value: Json<Record<string, unknown>>;
  version: Generated<number>;
  updated_by: string | null;
  updated_at: Stamp;
}

export interface SettingSecretsTable {
  slug: string;
  name: string;
  sealed: Buffer;
  last_four: string;
  updated_by: string | null;
  updated_at: Stamp;
}

export interface AuditEventsTable {
  id: Generated<number>;
  at: Stamp;
  actor_kind: 'guest' | 'user' | 'admin' | 'system';
  actor_id: string | null;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  data: Json<Record<string, unknown>>;
  ip: string | null;
  request_id: string | null;
}

export interface TaskRunsTable {
  task: string;
  slot: Date;
  started_at: Stamp;
  finished_at: Date | null;
  outcome: 'done' | 'failed' | null;
  detail: string | null;
}

export interface IdempotencyKeysTable {
  actor: string;
  route: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  body: Json<unknown> | null;
  created_at: Stamp;
}

export interface LegalPagesTable {
  id: string;
  slug: string;
  title: string;
  body: string;
  summary: Generated<string>;
  version: string;
  /** `YYYY-MM-DD` */
  effective_on: string;
  position: Generated<number>;
  published_at: Date | null;
  updated_at: Stamp;
}

export interface FieldJson {
  key: string;
  label: string;
  check: 'text' | 'name' | 'iban' | 'card' | 'address' | 'phone' | 'email' | 'pattern';
  pattern?: string;
  hint?: string;
  required: boolean;
}

export interface LineJson {
  label: string;
  value: string;
  /** A person's name, which the desk compares with the account's. */
  is_name?: boolean;
}

export interface CurrenciesTable {
  id: string;
  slug: string;
  unit: string;
  name: string;
  symbol: string;
  channel: string;
  kind: 'bank' | 'card' | 'wallet' | 'chain' | 'cash';
  decimals: number;
  export_code: string;
  min_send: Minor | null;
  max_send: Minor | null;
  min_receive: Minor | null;
  max_receive: Minor | null;
  sender_fields: Json<FieldJson[]>;
  payout_fields: Json<FieldJson[]>;
  payout_time: Generated<string>;
  active: Generated<boolean>;
  position: Generated<number>;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

export interface PayeeAccountsTable {
  id: string;
  currency_id: string;
  label: string;
  details: Json<LineJson[]>;
  instructions: Generated<string>;
  qr_template: string | null;
  active: Generated<boolean>;
  position: Generated<number>;
}

export type AccountKind =
  | 'available' | 'held' | 'customer' | 'position' | 'fees' | 'spread' | 'costs' | 'adjustments';

export interface LedgerAccountsTable {
  id: Generated<number>;
  currency_id: string;
  kind: AccountKind;
  balance: Generated<Minor>;
}

export type LedgerKind =
  | 'hold' | 'release' | 'money_in' | 'recalculation' | 'conversion' | 'payout' | 'refund'
  | 'excess_refund' | 'payout_bounced' | 'return_charge' | 'adjustment';

export interface LedgerTransactionsTable {
  id: string;
  kind: LedgerKind;
  exchange_id: string | null;
  exchange_number: string | null;
  reference: string | null;
  reason: string | null;
  actor_id: string | null;
  created_at: Stamp;
}

export interface LedgerEntriesTable {
  id: Generated<number>;
  transaction_id: string;
  account_id: number;
  currency_id: string;
  amount: Minor;
  /** Set by the database when the entry moves the balance. */
  balance_after: ColumnType<Minor, never, never>;
}

export interface PairsTable {
  id: string;
  slug: string;
  send_currency_id: string;
  receive_currency_id: string;
  rate_mode: Generated<'manual'>;
  mid_rate: Decimal | null;
  mid_source: string | null;
  mid_as_of: Date | null;
  margin_percent: Generated<Decimal>;
  rate_digits: number;
  send_fee_fixed: Generated<Minor>;
  send_fee_percent: Generated<Decimal>;
  receive_fee_fixed: Generated<Minor>;
  receive_fee_percent: Generated<Decimal>;
  min_send: Minor;
  max_send: Minor;
  day_max_send: Minor | null;
  month_max_send: Minor | null;
  lock_minutes: Generated<number>;
  pay_minutes: Generated<number>;
  evidence: Generated<'proof' | 'reference' | 'either'>;
  complete_on_approval: Generated<boolean>;
  active: Generated<boolean>;
  position: Generated<number>;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

export interface PairRatesTable {
  id: Generated<number>;
  pair_id: string;
  mid_rate: Decimal;
  source: string;
  set_by: string | null;
  as_of: Date;
}

export type StateName =
  | 'awaiting_payment' | 'payment_submitted' | 'under_review' | 'on_hold' | 'approved' | 'completed'
  | 'cancelled' | 'expired' | 'rejected' | 'refund_pending' | 'refunded';

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

export interface ReconciliationsTable {
  id: Generated<number>;
  at: Date;
  balanced: boolean;
  differences: Json<unknown[]>;
}

export interface Tables {
  users: UsersTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  setting_secrets: SettingSecretsTable;
  audit_events: AuditEventsTable;
  task_runs: TaskRunsTable;
  idempotency_keys: IdempotencyKeysTable;
  legal_pages: LegalPagesTable;
  currencies: CurrenciesTable;
  payee_accounts: PayeeAccountsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  pairs: PairsTable;
  pair_rates: PairRatesTable;
  exchanges: ExchangesTable;
  exchange_events: ExchangeEventsTable;
  proofs: ProofsTable;
  reconciliations: ReconciliationsTable;
}
