/** Saved payout accounts beside what is entered for an exchange. Pure. */
import type { Field } from '@cambist/contract/currencies';
import type { PayoutAccount } from '@cambist/contract/payout-accounts';
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
