/** The tables of currencies, the ledger and pairs, as the migrations leave them. */
import type { ColumnType, Generated } from 'kysely';
import type { Decimal, Json, Minor, Stamp } from './columns.ts';

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
  | 'available'
  | 'held'
  | 'customer'
  | 'position'
  | 'fees'
  | 'spread'
  | 'costs'
  | 'adjustments';

export interface LedgerAccountsTable {
  id: Generated<number>;
  currency_id: string;
  kind: AccountKind;
  balance: Generated<Minor>;
}

export type LedgerKind =
  | 'hold'
  | 'release'
  | 'money_in'
  | 'recalculation'
  | 'conversion'
  | 'payout'
  | 'refund'
  | 'excess_refund'
  | 'payout_bounced'
  | 'return_charge'
  | 'adjustment';

export interface LedgerTransactionsTable {
  id: string;
  kind: LedgerKind;
  exchange_id: string | null;
  exchange_number: string | null;
  reference: string | null;
  reason: string | null;
  actor_id: string | null;
  created_at: Stamp;
  /** `event:123`: the record or event that this was posted for; each kind at most once for it. */
  cause: string | null;
}

export interface LedgerEntriesTable {
  /** Drawn by the database under the account's lock: an account's entries add up in this order. */
  id: ColumnType<number, never, never>;
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
  rate_mode: Generated<'automatic' | 'manual' | 'formula'>;
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
  /** In the words of units: `btc/usd * 1.01`; only where the mode is `formula`. */
  formula: string | null;
  margin_absolute: Generated<Decimal>;
  rate_min: Decimal | null;
  rate_max: Decimal | null;
  tiers: ColumnType<TierJson[], TierJson[] | undefined, TierJson[]>;
  send_fee_min: Minor | null;
  send_fee_max: Minor | null;
  receive_fee_min: Minor | null;
  receive_fee_max: Minor | null;
  payout_step: Minor | null;
  /** In the desk's time zone; null is always. */
  hours: Json<HoursJson[]> | null;
  mid_until: Date | null;
  mid_confirmed_at: Date | null;
  mid_fresh_until: Date | null;
  /** Units whose jump waits for an admin's yes or no, of those that the mid rate is made of. */
  mid_awaits: Generated<string[]>;
}

/** From this amount on, in minor units of the send currency as text. */
export interface TierJson {
  from: string;
  margin_percent: string;
}

/** Monday is 1; `24:00` is the day's end. */
export interface HoursJson {
  days: number[];
  from: string;
  to: string;
}

export interface PairRatesTable {
  id: Generated<number>;
  pair_id: string;
  mid_rate: Decimal;
  source: string;
  set_by: string | null;
  /** The provider's own time. */
  as_of: Date;
  /** By the database's clock: when it came into force here. */
  in_force_from: Generated<Date>;
}

/** How far the history is thinned; one row. */
export interface PairRatesThinnedTable {
  single: Generated<boolean>;
  hourly_until: Date;
  daily_until: Date;
}
