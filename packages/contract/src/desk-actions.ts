/** What operators do with an exchange. */
import { Type } from 'typebox';
import { DeskExchangeDetail } from './desk.ts';
import { adminWrites, endpoint } from './endpoint.ts';
import { differences, wants, wordedActions } from './exchange-records.ts';
import { byNumber } from './exchanges.ts';
import { Amount, Day, Id, One, Strict, Version, Words } from './wire.ts';

const reference = Words(1, 200);
const reason = Words(3, 500);

const versioned = Strict({ version: Version });
const conflicts = ['state_conflict', 'version_conflict'];
const moneyRefusals = [...conflicts, 'own_exchange', 'ledger_unbalanced'];

/** Claims need no key: they are repeated as they are. */
const claimOfDesk = {
  ...adminWrites('desk'),
  params: byNumber,
  reply: One(DeskExchangeDetail),
} as const;
const ofDesk = { ...claimOfDesk, idempotent: true } as const;

export const claimExchange = endpoint({
  ...claimOfDesk,
  path: '/api/admin/exchanges/{number}/claim',
  summary: 'Claims an exchange for review or payout, or renews the claim.',
  body: versioned,
  refusals: [...conflicts, 'already_claimed', 'own_exchange'],
});

export const releaseExchange = endpoint({
  ...claimOfDesk,
  method: 'DELETE',
  path: '/api/admin/exchanges/{number}/claim',
  summary: 'Releases a claimed exchange.',
  query: Strict({ version: Version }),
  refusals: [...conflicts, 'not_claimed'],
});

export const approveExchange = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/approval',
  summary:
    'Approves the received payment and posts it to the ledger; above the threshold a second operator must do the same.',
  body: Strict({
    version: Version,
    /** Entered now, beside the receipts that stand: zero where all of it is recorded. */
    received_amount: Amount,
    reference: Type.Optional(reference),
    another_payment: Type.Optional(Type.Boolean()),
    difference: Type.Optional(Type.Enum(differences)),
    /** Where the pair completes at approval: the reference of the payout. */
    payout_reference: Type.Optional(reference),
    another_payout: Type.Optional(Type.Boolean()),
  }),
  refusals: [
    ...moneyRefusals,
    'not_claimed',
    'amount_differs',
    'rate_lapsed',
    'approval_differs',
    'reference_used',
    'insufficient_reserve',
    'payout_waits',
    'confirmation_required',
  ],
});

export const rejectExchange = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/rejection',
  summary: 'Rejects an exchange without a payment and releases the hold.',
  body: Strict({ version: Version, reason }),
  refusals: [...conflicts, 'own_exchange', 'not_claimed', 'receipt_stands'],
});

export const completeExchange = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/completion',
  summary: 'Completes an exchange after its payout; posts conversion and payout.',
  body: Strict({
    version: Version,
    payout_reference: reference,
    charge: Type.Optional(Amount),
    another_payout: Type.Optional(Type.Boolean()),
  }),
  refusals: [
    ...moneyRefusals,
    'already_claimed',
    'reference_used',
    'payout_waits',
    'insufficient_reserve',
  ],
});

export const addNote = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/notes',
  summary: 'Adds an internal note to the timeline.',
  status: 201,
  body: Strict({ text: Words(1, 1000) }),
});

/** A payment as the bank shows it. */
const payment = {
  amount: Amount,
  reference: Type.Optional(reference),
  payer: Type.Optional(Words(1, 200)),
  /** Today by default. */
  booked_on: Type.Optional(Day),
  /** Its reference was recorded before, and it is another payment all the same. */
  another_payment: Type.Optional(Type.Boolean()),
};

export const recordReceipt = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/receipts',
  summary: 'Records money that came; after the decision it is to be refunded.',
  status: 201,
  body: Strict({ version: Version, ...payment }),
  refusals: [...conflicts, 'own_exchange', 'reference_used'],
});

export const reverseReceipt = endpoint({
  ...ofDesk,
  method: 'DELETE',
  path: '/api/admin/exchanges/{number}/receipts/{id}',
  summary: 'Reverses a receipt that was recorded by mistake.',
  params: Strict({ ...byNumber.properties, id: Id }),
  query: Strict({ version: Version, reason }),
  refusals: [...conflicts, 'own_exchange', 'receipt_settled'],
});

export const askQuestion = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/question',
  summary: 'Asks the customer, with a deadline; the exchange is on hold until the answer.',
  body: Strict({ version: Version, text: Words(3, 1000), wants: Type.Enum(wants) }),
  refusals: [...conflicts, 'already_claimed'],
});

export const beginRefund = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/refunds',
  summary: 'Ends the exchange with a refund of all that was received.',
  status: 201,
  body: Strict({
    version: Version,
    reason,
    charge: Type.Optional(Amount),
    account: Type.Optional(Words(1, 500)),
  }),
  refusals: [
    ...moneyRefusals,
    'not_claimed',
    'already_claimed',
    'nothing_received',
    'insufficient_reserve',
  ],
});

const refundParams = Strict({ ...byNumber.properties, id: Id });

export const payRefund = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/refunds/{id}/payment',
  summary: 'Records that a refund was paid.',
  params: refundParams,
  body: Strict({ version: Version, reference, account: Type.Optional(Words(1, 500)) }),
  refusals: [...moneyRefusals, 'account_missing'],
});

export const returnRefund = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/refunds/{id}/return',
  summary: 'Records that a paid refund was sent back; it is to be paid again.',
  params: refundParams,
  body: Strict({ version: Version, reason }),
  refusals: [...conflicts, 'own_exchange'],
});

export const recordLateReceipt = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/late-receipt',
  summary:
    'Records money for an ended exchange: to go on at the locked or the current rate, or to refund.',
  body: Strict({
    version: Version,
    ...payment,
    price: Type.Enum(['locked', 'current', 'refund'] as const),
  }),
  refusals: [
    ...conflicts,
    'own_exchange',
    'account_missing',
    'reference_used',
    'insufficient_reserve',
    'pair_unavailable',
  ],
});

export const reopenExchange = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/reopening',
  permission: 'money',
  summary: 'Records that the payout was sent back; it is to be paid again.',
  body: Strict({ version: Version, reason, charge: Type.Optional(Amount) }),
  refusals: [...moneyRefusals, 'insufficient_reserve'],
});

export const readMessages = endpoint({
  ...adminWrites('desk'),
  path: '/api/admin/exchanges/{number}/messages/read',
  summary: 'Marks the messages of the customer as read.',
  status: 204,
  params: byNumber,
});

/** Refused as the action itself would be. */
export const previewEmail = endpoint({
  ...adminWrites('desk'),
  path: '/api/admin/exchanges/{number}/email-preview',
  summary: 'The email that an action would send to the customer; nothing is carried out or sent.',
  params: byNumber,
  body: Strict({
    action: Type.Enum(wordedActions),
    version: Version,
    text: Words(3, 1000),
    /** The receipt or refund. */
    id: Type.Optional(Id),
    wants: Type.Optional(Type.Enum(wants)),
    charge: Type.Optional(Amount),
    account: Type.Optional(Words(1, 500)),
  }),
  reply: One(Type.Object({ subject: Type.String(), text: Type.String() })),
  refusals: conflicts,
});

export const answerCustomer = endpoint({
  ...ofDesk,
  path: '/api/admin/exchanges/{number}/messages',
  summary: 'Writes to the customer about an exchange.',
  status: 201,
  body: Strict({ text: Words(1, 2000) }),
});
