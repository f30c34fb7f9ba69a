/** Where a sign-in leads: to its second step if the account has one, else to `next`. Pure. */
import type { SecondStep, signIn } from '@cambist/contract/accounts';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { safeNext } from './next-path.ts';

export type StepMethod = SecondStep['methods'][number];

/** For when the API cannot say which methods the account has. */
export const everyMethod: readonly StepMethod[] = ['totp', 'passkey', 'recovery_code'];

/** `next` need not be safe; `by` is the method shown first. */
export function secondStepPath(next: string | null, by: StepMethod | null = null): string {
  const query = new URLSearchParams();
  if (by) query.set('by', by);
  if (next !== null) query.set('next', next);
  return query.size === 0 ? '/two-factor' : `/two-factor?${query}`;
}

/** A path of this site. `next` need not be safe. */
export function afterSignIn(answer: ReplyOf<typeof signIn>, next: string | null): string {
  if ('two_factor' in answer) return secondStepPath(next);
  return safeNext(next, answer.data.role === 'admin' ? '/admin' : '/exchanges');
}
