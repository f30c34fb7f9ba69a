/** What the customer does with an exchange after it was created. */
import { Type } from 'typebox';
import { FieldAnswers } from './currencies.ts';
import { endpoint } from './endpoint.ts';
import { byNumber, Exchange } from './exchanges.ts';
import { One, Strict, Version, Words } from './wire.ts';

export const submitPayment = endpoint({
  method: 'POST',
  path: '/api/exchanges/{number}/submission',
  scope: 'member',
  throttle: 'write',
  summary: 'Submits the payment to the desk for review.',
  status: 200,
  idempotent: true,
  params: byNumber,
  body: Strict({
    version: Version,
    payment_reference: Type.Optional(Words(1, 200)),
  }),
  reply: One(Exchange),
  refusals: ['state_conflict', 'version_conflict', 'payment_overdue', 'evidence_missing'],
});

export const undoSubmission = endpoint({
  method: 'DELETE',
  path: '/api/exchanges/{number}/submission',
  scope: 'member',
  throttle: 'write',
  summary: 'Undoes the submission: once, shortly after, while unclaimed.',
  status: 200,
  idempotent: true,
  params: byNumber,
  query: Strict({ version: Version }),
  reply: One(Exchange),
  refusals: ['state_conflict', 'version_conflict', 'undo_window_closed'],
});

export const cancelExchange = endpoint({
  method: 'POST',
  path: '/api/exchanges/{number}/cancellation',
  scope: 'member',
  throttle: 'write',
  summary: 'Cancels an unpaid exchange and frees its reserve.',
  status: 200,
  idempotent: true,
  params: byNumber,
  body: Strict({ version: Version }),
  reply: One(Exchange),
  refusals: ['state_conflict', 'version_conflict'],
});

export const answerQuestion = endpoint({
  method: 'POST',
  path: '/api/exchanges/{number}/answers',
  scope: 'member',
  throttle: 'write',
  summary: "Answers the desk's question with words, or with a proof uploaded since.",
  status: 200,
  idempotent: true,
  params: byNumber,
  body: Strict({ version: Version, text: Type.Optional(Words(1, 2000)) }),
  reply: One(Exchange),
  refusals: ['state_conflict', 'version_conflict'],
});

export const changePayoutFields = endpoint({
  method: 'PUT',
  path: '/api/exchanges/{number}/payout-fields',
  scope: 'member',
  fresh: true,
  throttle: 'write',
  summary: 'Changes the account that the payout goes to; after the submission the payout waits.',
  status: 200,
  idempotent: true,
  params: byNumber,
  body: Strict({ version: Version, payout_fields: FieldAnswers }),
  reply: One(Exchange),
  refusals: [
    'state_conflict',
    'version_conflict',
    'payout_claimed',
    'limit_exceeded',
    'confirmation_required',
  ],
});

export const setRefundAccount = endpoint({
  method: 'PUT',
  path: '/api/exchanges/{number}/refund-account',
  scope: 'member',
  fresh: true,
  throttle: 'write',
  summary: 'Names the account of every refund that is not paid yet.',
  status: 200,
  idempotent: true,
  params: byNumber,
  body: Strict({ version: Version, account: Words(1, 500) }),
  reply: One(Exchange),
  refusals: ['state_conflict', 'version_conflict', 'confirmation_required'],
});

export const writeMessage = endpoint({
  method: 'POST',
  path: '/api/exchanges/{number}/messages',
  scope: 'member',
  throttle: 'write',
  summary: 'Writes to the desk about an exchange.',
  status: 201,
  idempotent: true,
  params: byNumber,
  body: Strict({ text: Words(1, 2000) }),
  reply: One(Exchange),
});
