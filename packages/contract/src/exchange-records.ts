/** What happened to an exchange's money: receipts, payouts, refunds; questions and messages about it. */
import { Type, type Static } from 'typebox';
import { Amount, Day, Id, nullable, Rate, Time } from './wire.ts';

const text = nullable(Type.String());

/** The first that holds; computed from the records. */
export const exceptions = ['returned', 'late', 'over', 'part', 'none'] as const;
export type ExchangeException = (typeof exceptions)[number];

export const Receipt = Type.Object({
  id: Id,
  amount: Amount,
  booked_on: Day,
  payer: text,
  reference: text,
  source: Type.String(),
  state: Type.Enum(['recorded', 'reversed'] as const),
  /** The operator's name. */
  recorded_by: Type.String(),
  at: Time,
});
export type Receipt = Static<typeof Receipt>;

export const Payout = Type.Object({
  id: Id,
  amount: Amount,
  /** `label: value`, a line each. */
  account: Type.String(),
  reference: text,
  /** Borne by the desk, in the receive currency. */
  charge: Amount,
  state: Type.Enum(['to_pay', 'sent', 'returned', 'cancelled'] as const),
  at: Time,
});
export type Payout = Static<typeof Payout>;

export const Refund = Type.Object({
  id: Id,
  kind: Type.Enum(['whole', 'excess'] as const),
  /** With the charge in it: the customer gets the rest. */
  amount: Amount,
  charge: Amount,
  account: text,
  reference: text,
  state: Type.Enum(['awaiting_account', 'to_pay', 'paid', 'returned', 'cancelled'] as const),
  at: Time,
});
export type Refund = Static<typeof Refund>;

/** What to do when another amount than the expected one was received, or its rate has lapsed. */
export const differences = ['recalculate_locked', 'recalculate_current', 'refund_excess'] as const;
export type Difference = (typeof differences)[number];

export const Approval = Type.Object({
  id: Id,
  by: Type.String(),
  /** Entered with the approval, beside the receipts that stood. */
  received_amount: Amount,
  difference: nullable(Type.Enum(differences)),
  reference: nullable(Type.String()),
  at: Time,
  /** A first approval lasts until then; null where one operator was enough, and for a second one. */
  until: nullable(Time),
});
export type Approval = Static<typeof Approval>;

/** The actions whose email tells the customer in the operator's own words. */
export const wordedActions = [
  'reject',
  'ask',
  'refund',
  'reverse_receipt',
  'return_refund',
  'reopen',
] as const;
export type WordedAction = (typeof wordedActions)[number];

export const wants = ['answer', 'proof', 'payment'] as const;

/** The open or overdue question of the desk. */
export const Question = Type.Object({
  text: Type.String(),
  wants: Type.Enum(wants),
  asked_at: Time,
  answer_by: Time,
  overdue: Type.Boolean(),
});

export const Message = Type.Object({
  id: Id,
  by: Type.Enum(['customer', 'desk'] as const),
  text: Type.String(),
  at: Time,
});

/** The amounts before and after a recalculation. */
export const Recalculation = Type.Object({
  before: Type.Object({ send_amount: Amount, receive_amount: Amount, rate: Rate }),
  after: Type.Object({ send_amount: Amount, receive_amount: Amount, rate: Rate }),
  at: Time,
});
export type Recalculation = Static<typeof Recalculation>;

/** For customer and desk; lists are oldest first, ended records included. */
export const sharedRecords = {
  exception: Type.Enum(exceptions),
  /** The sum of the receipts that stand. */
  received_amount: Amount,
  question: nullable(Question),
  messages: Type.Array(Message),
  refunds: Type.Array(Refund),
  recalculations: Type.Array(Recalculation),
};

export const deskRecords = {
  receipts: Type.Array(Receipt),
  payouts: Type.Array(Payout),
  approvals: Type.Array(Approval),
};
