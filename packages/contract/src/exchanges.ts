/** Exchanges as the customer sees them: create, pay, prove, follow. */
import { Type, type Static } from 'typebox';
import { FieldAnswers, PayeeLine, PublicCurrency } from './currencies.ts';
import { endpoint, memberReads, memberWrites, publicReads } from './endpoint.ts';
import { sharedRecords } from './exchange-records.ts';
import { evidences } from './pair-terms.ts';
import { Breakdown } from './quotes.ts';
import {
  Amount,
  cursorQuery,
  Day,
  Id,
  One,
  PageOrCursor,
  pageQuery,
  Rate,
  Slug,
  Strict,
  Time,
  Version,
} from './wire.ts';

export const exchangeStates = [
  'awaiting_payment',
  'payment_submitted',
  'under_review',
  'on_hold',
  'approved',
  'completed',
  'cancelled',
  'expired',
  'rejected',
  'refund_pending',
  'refunded',
] as const;
export const ExchangeState = Type.Enum(exchangeStates);
export type ExchangeState = (typeof exchangeStates)[number];

/** `CX-7F3K-92QD`: eight characters of Crockford's alphabet, drawn at random. */
export const ExchangeNumber = Type.String({
  pattern: '^CX-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$',
});

const nullableString = Type.Union([Type.String(), Type.Null()]);
const nullableTime = Type.Union([Time, Type.Null()]);

export const Proof = Type.Object({
  id: Id,
  name: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  uploaded_at: Time,
});
export type Proof = Static<typeof Proof>;

/** An event for the customer, without internal notes. */
export const TimelineEvent = Type.Object({
  action: Type.String(),
  to_state: ExchangeState,
  by: Type.Enum(['you', 'desk', 'system'] as const),
  reason: nullableString,
  at: Time,
});
export type TimelineEvent = Static<typeof TimelineEvent>;

export const ExchangeSummary = Type.Object({
  number: ExchangeNumber,
  pair: Slug,
  state: ExchangeState,
  send: PublicCurrency,
  receive: PublicCurrency,
  send_amount: Amount,
  receive_amount: Amount,
  rate: Rate,
  pay_by: Time,
  created_at: Time,
  state_changed_at: Time,
  /** The desk has written, and the customer has not opened it. */
  unread: Type.Boolean(),
});
export type ExchangeSummary = Static<typeof ExchangeSummary>;

/** The actions that the customer may do now. */
export const customerActions = [
  'upload_proof',
  'submit',
  'undo',
  'cancel',
  'answer',
  'change_payout',
  'set_refund_account',
] as const;

export const Exchange = Type.Object({
  ...ExchangeSummary.properties,
  version: Version,
  ...Breakdown.properties,
  ...sharedRecords,
  evidence: Type.Enum(evidences),
  /** What is expected and was not received; zero within the tolerance. */
  missing_amount: Amount,
  /** The payee account at the creation. */
  payee: Type.Object({
    label: Type.String(),
    details: Type.Array(PayeeLine),
    instructions: Type.String(),
    /** For the missing amount, ready to be drawn; null where the channel has none or nothing is missing. */
    qr: nullableString,
  }),
  /** The reference for the payment. */
  transfer_reference: Type.String(),
  payout_fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  payment_reference: nullableString,
  payout_reference: nullableString,
  closed_reason: nullableString,
  submitted_at: nullableTime,
  undo_until: nullableTime,
  completed_at: nullableTime,
  proofs: Type.Array(Proof),
  timeline: Type.Array(TimelineEvent),
  allowed: Type.Array(Type.Enum(customerActions)),
  server_time: Time,
});
export type Exchange = Static<typeof Exchange>;

export const byNumber = Strict({ number: ExchangeNumber });

export const createExchange = endpoint({
  ...memberWrites,
  path: '/api/exchanges',
  summary: 'Accepts a quote: freezes the price and holds the payout.',
  status: 201,
  idempotent: true,
  body: Strict({
    quote_token: Type.String({ minLength: 1, maxLength: 4000 }),
    payout_fields: FieldAnswers,
    sender_fields: Type.Optional(FieldAnswers),
    terms_accepted: Type.Boolean(),
  }),
  reply: One(Exchange),
  refusals: [
    'email_unverified',
    'quote_expired',
    'quote_used',
    'quote_invalid',
    'pair_unavailable',
    'insufficient_reserve',
    'too_many_open',
    'limit_exceeded',
    'site_closed',
  ],
});

const historyFilter = {
  state: Type.Optional(Type.Enum(['open', 'done', 'closed'] as const)),
  /** Days in UTC, both included. */
  from: Type.Optional(Day),
  to: Type.Optional(Day),
};

/** A cursor takes the place of `page`: a page far back by number costs more with each exchange before it. */
export const listExchanges = endpoint({
  ...memberReads,
  path: '/api/exchanges',
  summary: "The customer's own exchanges, newest first.",
  query: Strict({ ...pageQuery, ...historyFilter, cursor: cursorQuery.cursor }),
  reply: PageOrCursor(ExchangeSummary),
});

/** `text/csv`, without a reply schema. */
export const exportExchanges = endpoint({
  ...memberReads,
  path: '/api/exchanges.csv',
  summary: "The customer's own exchanges as a spreadsheet.",
  query: Strict(historyFilter),
});

export const getExchange = endpoint({
  ...memberReads,
  path: '/api/exchanges/{number}',
  summary: 'One exchange with its payment details, proofs and timeline.',
  params: byNumber,
  reply: One(Exchange),
});

/** `application/pdf`, without a reply schema. */
export const getReceipt = endpoint({
  ...memberReads,
  path: '/api/exchanges/{number}/receipt.pdf',
  throttle: 'file',
  summary: 'The receipt of a completed exchange, or the confirmation of a refund.',
  params: byNumber,
  refusals: ['state_conflict'],
});

export const uploadProof = endpoint({
  ...memberWrites,
  path: '/api/exchanges/{number}/proofs',
  throttle: 'upload',
  summary:
    'Uploads one proof of payment: JPEG, PNG, WebP or PDF, at most 5 MB. A person may send 40 files and 100 MB within 24 hours.',
  status: 201,
  params: byNumber,
  upload: 'proof',
  reply: One(Proof),
  refusals: ['exchange_not_payable', 'too_many_proofs', 'too_many_uploads'],
});

/** The file itself, without a reply schema. */
export const getProofFile = endpoint({
  ...memberReads,
  path: '/api/exchanges/{number}/proofs/{id}/file',
  summary: "The customer's own proof: images re-encoded, without metadata.",
  params: Strict({ number: ExchangeNumber, id: Id }),
});

/** Server-sent events: `exchange` with `{ version, state }` at each change. */
export const followExchange = endpoint({
  ...memberReads,
  path: '/api/exchanges/{number}/events',
  summary: 'Streams the changes of an exchange (server-sent events).',
  streams: true,
  params: byNumber,
  refusals: ['too_many_streams'],
});

export const LatestExchange = Type.Object({
  send_amount: Amount,
  send: PublicCurrency,
  receive_amount: Amount,
  receive: PublicCurrency,
  /** Initials only: `A. M.` */
  customer: Type.String(),
  state: Type.Enum(['approved', 'completed'] as const),
  at: Time,
});
export type LatestExchange = Static<typeof LatestExchange>;

export const latestExchanges = endpoint({
  ...publicReads,
  path: '/api/public/latest-exchanges',
  summary: 'The ten latest approved exchanges, masked.',
  reply: Type.Object({ data: Type.Array(LatestExchange) }),
});
