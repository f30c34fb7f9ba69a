/** The desk: exchanges for operators. */
import { Type, type Static } from 'typebox';
import { ContactNote } from './contact.ts';
import { PublicCurrency } from './currencies.ts';
import { adminReads, endpoint } from './endpoint.ts';
import { deskRecords, differences, exceptions, sharedRecords } from './exchange-records.ts';
import { byNumber, ExchangeNumber, ExchangeState, Proof } from './exchanges.ts';
import { Breakdown } from './quotes.ts';
import {
  Amount,
  cursorQuery,
  Day,
  Id,
  nullable,
  One,
  Rate,
  SignedDecimal,
  Slug,
  Strict,
  Time,
  Version,
} from './wire.ts';

export const operatorActions = [
  'claim',
  'release',
  'record_receipt',
  'reverse_receipt',
  'ask',
  'approve',
  'reject',
  'complete',
  'refund',
  'pay_refund',
  'return_refund',
  'record_late_receipt',
  'reopen',
  'note',
] as const;
export type OperatorAction = (typeof operatorActions)[number];

export const Claim = Type.Object({
  by: Type.String(),
  mine: Type.Boolean(),
  until: Time,
});

/**
 * `to_review`: submitted, or under review without a live claim. `to_pay_out`: approved. `to_refund`: with a
 * refund that is not paid yet. `unread`: with a message of the customer that no operator has read.
 */
export const queues = [
  'to_review',
  'mine',
  'to_pay_out',
  'to_refund',
  'on_hold',
  'unread',
  'awaiting_payment',
  'all',
] as const;

/** What waits for operators; they can be notified of it. */
export const workQueues = ['to_review', 'to_pay_out', 'to_refund'] as const;
export type WorkQueue = (typeof workQueues)[number];

/** For an operator to check before a decision. */
export const warningCodes = [
  'same_file',
  'new_account',
  'late',
  'name_differs',
  'own_exchange',
  'payout_changed',
  'unread_message',
  /** A reference of its payment belongs to another exchange too. */
  'reference_used',
  /** Another customer used its payout account. */
  'account_shared',
  /** The customer has used 80 % of a limit of a day or month; while the exchange is open. */
  'limits_near',
] as const;

export const DeskExchange = Type.Object({
  number: ExchangeNumber,
  state: ExchangeState,
  exception: Type.Enum(exceptions),
  send: PublicCurrency,
  receive: PublicCurrency,
  send_amount: Amount,
  receive_amount: Amount,
  rate: Rate,
  customer: Type.Object({ id: Id, name: Type.String() }),
  claim: nullable(Claim),
  proof_count: Type.Integer(),
  warnings: Type.Array(Type.Enum(warningCodes)),
  created_at: Time,
  submitted_at: nullable(Time),
  state_changed_at: Time,
});
export type DeskExchange = Static<typeof DeskExchange>;

export const DeskEvent = Type.Object({
  id: Type.Integer(),
  action: Type.String(),
  from_state: nullable(ExchangeState),
  to_state: ExchangeState,
  by: Type.Enum(['customer', 'operator', 'system'] as const),
  actor: nullable(Type.String()),
  /** Done by the reader. */
  mine: Type.Boolean(),
  reason: nullable(Type.String()),
  at: Time,
});

export const DeskProof = Type.Object({
  ...Proof.properties,
  sha256: Type.String(),
  /** Uploads of the same file to other exchanges. */
  same_file: Type.Array(
    Type.Object({
      number: ExchangeNumber,
      customer: Type.String(),
      same_customer: Type.Boolean(),
      uploaded_at: Time,
    }),
  ),
});
export type DeskProof = Static<typeof DeskProof>;

export const DeskExchangeDetail = Type.Object({
  ...DeskExchange.properties,
  pair: Slug,
  version: Version,
  ...Breakdown.properties,
  spread: nullable(SignedDecimal),
  /** The remaining reserve of the receive currency after this payout's hold. */
  reserve_left: Amount,
  transfer_reference: Type.String(),
  payment_reference: nullable(Type.String()),
  payout_reference: nullable(Type.String()),
  ...sharedRecords,
  ...deskRecords,
  /** Messages of the contact form that name the exchange, from whatever address; oldest first. */
  contact: Type.Array(
    Type.Pick(ContactNote, ['id', 'reference', 'name', 'email', 'excerpt', 'created_at']),
  ),
  /** The version of the terms that the customer accepted. */
  terms_version: nullable(Type.Integer()),
  /** Earlier payout accounts, oldest first. */
  payout_history: Type.Array(Type.Object({ account: Type.String(), until: Time })),
  /** The account was changed after the submission: until then another operator must pay out. */
  payout_waits_until: nullable(Time),
  /** Above the threshold of its currency: two operators must approve. */
  needs_second_approval: Type.Boolean(),
  /** The rate was locked until then; later the approval decides which rate counts. */
  rate_held_until: nullable(Time),
  closed_reason: nullable(Type.String()),
  complete_on_approval: Type.Boolean(),
  payee_label: Type.String(),
  payout_fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  sender_fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  customer: Type.Object({
    id: Id,
    name: Type.String(),
    email: Type.String(),
    since: Time,
    /** Counted to 1,000. */
    exchanges_completed: Type.Integer(),
  }),
  pay_by: Time,
  approved_at: nullable(Time),
  completed_at: nullable(Time),
  proofs: Type.Array(DeskProof),
  timeline: Type.Array(DeskEvent),
  allowed: Type.Array(Type.Enum(operatorActions)),
  server_time: Time,
});
export type DeskExchangeDetail = Static<typeof DeskExchangeDetail>;

/** The list and its CSV take the same. */
export const deskFilters = {
  queue: Type.Optional(Type.Enum(queues)),
  state: Type.Optional(ExchangeState),
  exception: Type.Optional(Type.Enum(exceptions)),
  pair: Type.Optional(Slug),
  /** Who claimed, approved or paid out. */
  operator: Type.Optional(Id),
  /** Days of creation in UTC, both included. */
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  /**
   * The beginning of a number, of a name or address, of a reference of a payment, payout or refund, of a
   * transaction hash or of an account; or an amount.
   */
  search: Type.Optional(Type.String({ maxLength: 100 })),
};

export const listDeskExchanges = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges',
  summary: 'One queue of the desk; the work lists oldest first, all newest first.',
  query: Strict({ ...deskFilters, ...cursorQuery }),
  reply: Type.Object({
    data: Type.Array(DeskExchange),
    meta: Type.Object({
      next_cursor: nullable(Type.String()),
      per_page: Type.Integer(),
      /** How many fit the filters, counted to 1,000; null without filters and after the first page. */
      total: nullable(Type.Integer()),
      /** Too many customers or records match the search: some are omitted. */
      search_cut: Type.Boolean(),
    }),
  }),
});

export const queueCounts = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges/counts',
  summary: 'How many exchanges wait in each queue, counted to 999.',
  reply: One(
    Type.Object({
      to_review: Type.Integer(),
      mine: Type.Integer(),
      to_pay_out: Type.Integer(),
      to_refund: Type.Integer(),
      on_hold: Type.Integer(),
      unread: Type.Integer(),
      awaiting_payment: Type.Integer(),
      oldest_to_review_at: nullable(Time),
    }),
  ),
});

/**
 * Server-sent events: `exchange` at each change of any exchange with `{ number, version, state, queue, own }`: the
 * work queue in which it newly stands, or null, and whether the reader's own act did it.
 */
export const followDesk = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges/events',
  summary: 'Streams the changes of all exchanges (server-sent events).',
  streams: true,
  refusals: ['too_many_streams'],
});

export const getDeskExchange = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges/{number}',
  summary: 'One exchange in detail.',
  params: byNumber,
  reply: One(DeskExchangeDetail),
});

export const Outcome = Type.Object({
  /** Null: approved as it is. */
  difference: nullable(Type.Enum(differences)),
  send_amount: Amount,
  receive_amount: Amount,
  rate: Rate,
  /** To be given back. */
  excess: Amount,
  /** Kept (above) or borne (negative) by the desk. */
  tolerated: SignedDecimal,
});
export type Outcome = Static<typeof Outcome>;

export const listOutcomes = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges/{number}/outcomes',
  summary: 'What an approval with this amount would do, by each possible decision.',
  params: byNumber,
  query: Strict({ received_amount: Amount }),
  reply: One(
    Type.Object({
      /** Received in all, with this amount. */
      received_amount: Amount,
      rate_lapsed: Type.Boolean(),
      needs_second_approval: Type.Boolean(),
      /** Who approved first, where this operator would be the second. */
      first_by: nullable(Type.String()),
      /** The payout is entered in the same step. */
      completes: Type.Boolean(),
      /** The expected amount at the rate of now, for a late payment; null without a recent rate. */
      current: nullable(Type.Object({ receive_amount: Amount, rate: Rate })),
      /** Empty where the amount cannot be approved. */
      outcomes: Type.Array(Outcome),
    }),
  ),
});

/** The file itself, without a reply schema. */
export const getDeskProofFile = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/proofs/{id}/file',
  summary: 'A proof for review: images re-encoded, without metadata.',
  params: Strict({ id: Id }),
  query: Strict({ original: Type.Optional(Type.Boolean()) }),
});
