/** The table of rate alerts, `05_pairs.sql`. */
import type { Generated } from 'kysely';
import type { Decimal, Stamp } from './columns.ts';

export interface RateAlertsTable {
  id: string;
  user_id: string;
  pair_id: string;
  direction: 'at_least' | 'at_most';
  target: Decimal;
  repeats: boolean;
  armed: Generated<boolean>;
  /** No letter before this. */
  quiet_until: Date | null;
  sent_at: Date | null;
  /** The customer's rate that the last letter told of. */
  sent_rate: Decimal | null;
  created_at: Stamp;
}
