/** The desk's figures: of each day, and of the open work now. */
import { Type, type Static } from 'typebox';
import { adminReads, endpoint } from './endpoint.ts';
import { Day, nullable, One, SignedDecimal, Strict, Time } from './wire.ts';

export const dashboardDays = ['7', '30', '90'] as const;
/** The upper ends, in hours, of all brackets but the last. */
export const ageBrackets = [1, 4, 24, 72] as const;

const Seconds = nullable(Type.Integer());

export const DailyFigures = Type.Object({
  day: Day,
  created: Type.Integer(),
  /** Submitted, or received without that. */
  paid: Type.Integer(),
  /** These three less what left the state again: a reopening counts on its own day. */
  completed: Type.Integer(),
  /** Cancelled or expired. */
  unpaid: Type.Integer(),
  /** Rejected or refunded. */
  refused: Type.Integer(),
  /** In the reporting unit; null without the permission `money`. */
  volume: nullable(SignedDecimal),
  margin: nullable(SignedDecimal),
  /** From the submission to the approval, and from there to the completion, where that is another step. */
  approval_median: Seconds,
  approval_p90: Seconds,
  payout_median: Seconds,
  payout_p90: Seconds,
});
export type DailyFigures = Static<typeof DailyFigures>;

export const Dashboard = Type.Object({
  unit: Type.String(),
  /** Units that no rate leads to the reporting unit from: their amounts are in no figure. */
  without_rate: Type.Array(Type.String()),
  /** Oldest first, in the desk's time zone; today's until `as_of`. */
  days: Type.Array(DailyFigures),
  as_of: nullable(Time),
  open: Type.Array(
    Type.Object({
      queue: Type.Enum(['to_review', 'on_hold', 'to_pay_out', 'to_refund'] as const),
      /** By the age of each: see `ageBrackets`. */
      ages: Type.Array(Type.Integer()),
      oldest_at: Time,
    }),
  ),
});
export type Dashboard = Static<typeof Dashboard>;

export const getDashboard = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/dashboard',
  summary:
    "The desk's figures of the last days, money with the permission `money`; open work by age.",
  query: Strict({ days: Type.Optional(Type.Enum(dashboardDays)) }),
  reply: One(Dashboard),
});
