/** Changes of the desk's own money that wait for a second person, or for their time. */
import { Type, type Static } from 'typebox';
import { PayeeAccount } from './currencies.ts';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { Amount, Id, Many, One, SignedDecimal, Slug, Strict, Time, Waiting } from './wire.ts';

const common = {
  ...Waiting.properties,
  /** The currency's slug. */
  subject: Slug,
  /** The name of the admin who asked for it. */
  by: Type.String(),
  /** By the caller, who may object to it, and not confirm it. */
  own: Type.Boolean(),
  at: Time,
  /** `lapsed`: nobody confirmed it in time. */
  state: Type.Enum(['waiting', 'effective', 'objected', 'lapsed'] as const),
};

export const PendingChange = Type.Union([
  Type.Object({
    ...common,
    kind: Type.Literal('payee_accounts'),
    before: Type.Array(PayeeAccount),
    after: Type.Array(PayeeAccount),
  }),
  Type.Object({
    ...common,
    kind: Type.Literal('adjustment'),
    /** In the list as it is now; else as it was when the change was asked for. */
    before: Type.Object({ available: Amount }),
    after: Type.Object({
      available: SignedDecimal,
      direction: Type.Enum(['in', 'out'] as const),
      amount: Amount,
      reason: Type.String(),
    }),
  }),
]);
export type PendingChange = Static<typeof PendingChange>;

const decision = {
  ...adminWrites('money'),
  params: Strict({ id: Id }),
  idempotent: true,
  reply: One(PendingChange),
} as const;

export const listPendingChanges = endpoint({
  ...adminReads('money'),
  path: '/api/admin/pending-changes',
  summary: 'Changed payee accounts and large adjustments that wait, the oldest first.',
  reply: Many(PendingChange),
});

export const confirmPendingChange = endpoint({
  ...decision,
  path: '/api/admin/pending-changes/{id}/confirmation',
  fresh: true,
  summary: 'Makes a change effective that another admin asked for.',
  refusals: [
    'own_change',
    'too_new',
    'change_ended',
    'insufficient_reserve',
    'confirmation_required',
  ],
});

export const objectToPendingChange = endpoint({
  ...decision,
  path: '/api/admin/pending-changes/{id}/objection',
  summary: 'Cancels a change that waits; anybody with the permission may.',
  refusals: ['change_ended'],
});
