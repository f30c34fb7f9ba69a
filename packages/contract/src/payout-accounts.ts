/** Payout accounts that a customer has saved, to be chosen for another exchange. */
import { Type, type Static } from 'typebox';
import { FieldAnswers, PublicCurrency } from './currencies.ts';
import { endpoint, memberReads, memberWrites } from './endpoint.ts';
import { Id, Many, One, Slug, Strict, Words } from './wire.ts';

export const maxPayoutAccounts = 20;
export const maxAccountLabel = 60;

const Label = Words(1, maxAccountLabel);
const byId = Strict({ id: Id });

export const PayoutAccount = Type.Object({
  id: Id,
  currency: PublicCurrency,
  label: Type.String(),
  /** What the currency still asks for and accepts, in its order. */
  fields: Type.Array(
    Type.Object({ key: Type.String(), label: Type.String(), value: Type.String() }),
  ),
});
export type PayoutAccount = Static<typeof PayoutAccount>;

export const listPayoutAccounts = endpoint({
  ...memberReads,
  path: '/api/user/payout-accounts',
  summary: "One's own saved payout accounts, the newest first.",
  reply: Many(PayoutAccount),
});

export const savePayoutAccount = endpoint({
  ...memberWrites,
  path: '/api/user/payout-accounts',
  fresh: true,
  summary: 'Saves a payout account for other exchanges; an email says so.',
  status: 201,
  idempotent: true,
  body: Strict({ currency: Slug, label: Label, fields: FieldAnswers }),
  reply: One(PayoutAccount),
  refusals: ['email_unverified'],
});

export const renamePayoutAccount = endpoint({
  ...memberWrites,
  method: 'PATCH',
  path: '/api/user/payout-accounts/{id}',
  summary: 'Changes the name of a saved payout account.',
  params: byId,
  body: Strict({ label: Label }),
  reply: One(PayoutAccount),
});

export const deletePayoutAccount = endpoint({
  ...memberWrites,
  method: 'DELETE',
  path: '/api/user/payout-accounts/{id}',
  summary: 'Deletes a saved payout account; exchanges that use it stay as they are.',
  status: 204,
  params: byId,
});
