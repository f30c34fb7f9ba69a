/** Where a sign-in leads: to its second step where one is asked for, else to where the person was going. */
import type { signIn } from '@cambist/contract/accounts';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { secondStepPath } from './second-step.ts';
import { safeNext } from './next-path.ts';

/** A path of this site. `next` is what the address of the page asks for, safe or not. */
export function afterSignIn(answer: ReplyOf<typeof signIn>, next: string | null): string {
  if ('two_factor' in answer) return secondStepPath(next);
  return safeNext(next, answer.data.role === 'admin' ? '/admin' : '/exchanges');
}
