/** The shapes of JSON columns, for `tables.generated.ts`. */

export interface LineJson {
  label: string;
  value: string;
  /** A person's name, which the desk compares with the account's. */
  is_name?: boolean;
}

export interface FieldJson {
  key: string;
  label: string;
  check: 'text' | 'name' | 'iban' | 'card' | 'address' | 'phone' | 'email' | 'pattern';
  pattern?: string;
  hint?: string;
  required: boolean;
}

/** A payout account until it was replaced. */
export interface PayoutChangeJson {
  until: string;
  fields: LineJson[];
}

/** In minor units of its side's currency, as text. */
export interface FeeJson {
  fixed: string;
  percent: string;
  min: string | null;
  max: string | null;
}

/** The fees and the payout step that an exchange was priced with. */
export interface FeeTermsJson {
  send: FeeJson;
  receive: FeeJson;
  step: string;
}

export interface PayeeJson {
  label: string;
  details: LineJson[];
  instructions: string;
  qr_template: string | null;
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

/** What became of one provider in a run. */
export interface AttemptJson {
  provider: string;
  /** `ok`, or why it gave nothing. */
  outcome: string;
  /** In our words, and in the provider's own: cut, without the key. */
  message: string;
  detail: string;
  duration_ms: number;
  /** How many usable rates it gave. */
  rates: number;
  /** Whether it answered without a usable rate, though it was asked for some. */
  gave_none: boolean;
}

export interface RejectionJson {
  unit: string;
  provider: string;
  reason: string;
  /** A sentence with the figures. */
  message: string;
}
