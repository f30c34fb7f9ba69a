/** What the customer does with an exchange after it was created. */
import { Type } from 'typebox';
import { FieldAnswers } from './currencies.ts';
import { endpoint, memberWrites } from './endpoint.ts';
import { byNumber, Exchange } from './exchanges.ts';
import { One, Strict, Version, Words } from './wire.ts';

const ofOwner = {
  ...memberWrites,
  idempotent: true,
  params: byNumber,
  reply: One(Exchange),
} as const;

export const submitPayment = endpoint({
  ...ofOwner,
  path: '/api/exchanges/{number}/submission',
  summary: 'Submits the payment to the desk for review.',
  body: Strict({
    version: Version,
    payment_reference: Type.Optional(Words(1, 200)),
  }),
  refusals: ['state_conflict', 'version_conflict', 'payment_overdue', 'evidence_missing'],
});

export const undoSubmission = endpoint({
  ...ofOwner,
  method: 'DELETE',
  path: '/api/exchanges/{number}/submission',
  summary: 'Undoes the submission: once, shortly after, while unclaimed.',
  query: Strict({ version: Version }),
  refusals: ['state_conflict', 'version_conflict', 'undo_window_closed'],
});

export const cancelExchange = endpoint({
  ...ofOwner,
  path: '/api/exchanges/{number}/cancellation',
  summary: 'Cancels an unpaid exchange and frees its reserve.',
  body: Strict({ version: Version }),
  refusals: ['state_conflict', 'version_conflict'],
});

export const answerQuestion = endpoint({
  ...ofOwner,
  path: '/api/exchanges/{number}/answers',
  summary: "Answers the desk's question with words, or with a proof uploaded since.",
  body: Strict({ version: Version, text: Type.Optional(Words(1, 2000)) }),
  refusals: ['state_conflict', 'version_conflict'],
});

export const changePayoutFields = endpoint({
  ...ofOwner,
  method: 'PUT',
  path: '/api/exchanges/{number}/payout-fields',
  fresh: true,
  summary: 'Changes the account that the payout goes to; after the submission the payout waits.',
  body: Strict({ version: Version, payout_fields: FieldAnswers }),
  refusals: [
    'state_conflict',
    'version_conflict',
    'payout_claimed',
    'limit_exceeded',
    'confirmation_required',
  ],
});

export const setRefundAccount = endpoint({
  ...ofOwner,
  method: 'PUT',
  path: '/api/exchanges/{number}/refund-account',
  fresh: true,
  summary: 'Names the account of every refund that is not paid yet.',
  body: Strict({ version: Version, account: Words(1, 500) }),
  refusals: ['state_conflict', 'version_conflict', 'confirmation_required'],
});

export const readMessages = endpoint({
  ...memberWrites,
  path: '/api/exchanges/{number}/messages/read',
  summary: 'Marks the messages of the desk as read.',
  status: 204,
  params: byNumber,
});

export const writeMessage = endpoint({
  ...ofOwner,
  path: '/api/exchanges/{number}/messages',
  summary: 'Writes to the desk about an exchange.',
  status: 201,
  body: Strict({ text: Words(1, 2000) }),
  refusals: ['too_many_messages'],
});
