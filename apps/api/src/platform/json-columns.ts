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

export interface PayeeJson {
  label: string;
  details: LineJson[];
  instructions: string;
  qr: string | null;
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

/** What one provider was asked in a run, and what became of it. */
export interface AttemptJson {
  provider: string;
  /** `ok`, or a failure's code. */
  outcome: string;
  /** In our words, and in the provider's own: cut, without the key. */
  message: string;
  detail: string;
  duration_ms: number;
  rates: number;
  /** Those of which it gave a sound rate: what it leaves out later is told. Absent in rows from before. */
  units?: readonly string[];
  /** Whether it answered without a sound figure of what it was asked for. Absent in rows from before. */
  gave_none?: boolean;
}

/** A rate that was not believed. */
export interface RefusalJson {
  unit: string;
  provider: string;
  reason: string;
  /** A sentence with the figures. */
  message: string;
  /** Whose rate is believed in its place. Absent where none is; in rows from before the message has it. */
  instead?: string;
}

/** What another provider says of a rate that waits. */
export interface OpinionJson {
  provider: string;
  /** In the direction of the question; null where it gave none. */
  rate: string | null;
  answered: boolean;
  heard_at: string;
  /** The provider's own time, of the oldest of what it is counted from; null without a rate. */
  as_of: string | null;
}

/** A rate of a letter. */
export interface ToldJson {
  base: string;
  rate: string;
  inverted: boolean;
}
