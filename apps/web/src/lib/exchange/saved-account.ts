/** Saved payout accounts beside what is entered for an exchange. */
import type { Field } from '@cambist/contract/currencies';
import { savePayoutAccount, type PayoutAccount } from '@cambist/contract/payout-accounts';
import type { BodyOf } from '@cambist/contract/endpoint';
import { withConfirmation } from '#lib/account/confirmation.svelte.ts';
import { ApiError, call } from '#lib/api/client.ts';
import { IdempotencyKey } from '#lib/api/idempotency-key.ts';
import { answersFor, answerShown } from './answer-checks.ts';
import type { Answers } from './draft.ts';

type Given = Answers['payout_fields'];

/** The values of a saved account for these fields; what it has none for is empty. */
export function answersOf(account: PayoutAccount | undefined, fields: readonly Field[]): Given {
  const value = (key: string) => account?.fields.find((line) => line.key === key)?.value ?? '';
  return Object.fromEntries(fields.map(({ key }) => [key, value(key)]));
}

/** The saved account that these answers are, however they are written. */
export function accountOf(
  accounts: readonly PayoutAccount[],
  fields: readonly Field[],
  answers: Given,
): PayoutAccount | undefined {
  const given = answersFor(fields, answers);
  if (Object.keys(given).length === 0) return undefined;
  return accounts.find((account) => {
    const saved = answersOf(account, fields);
    return fields.every((field) => answerShown(field, given[field.key] ?? '') === saved[field.key]);
  });
}

/** False where it is not saved, also where the customer does not confirm who they are. */
export async function saveAccount(body: BodyOf<typeof savePayoutAccount>): Promise<boolean> {
  const key = new IdempotencyKey();
  try {
    await withConfirmation(() => key.send(body, (keyed) => call(savePayoutAccount, keyed)));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}
