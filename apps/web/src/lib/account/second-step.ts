/** The second step's page: its address says which way is shown first; the service says which there are. Pure. */
import type { SecondStep } from '@cambist/contract/accounts';

export type StepMethod = SecondStep['methods'][number];

/** Where the service does not say: it decides anyway. */
export const everyMethod: readonly StepMethod[] = ['totp', 'passkey', 'recovery_code'];

/** `next`: where the person was going, safe or not; `by`: the way that is shown first. */
export function secondStepPath(next: string | null, by: StepMethod | null = null): string {
  const query = new URLSearchParams();
  if (by) query.set('by', by);
  if (next !== null) query.set('next', next);
  return query.size === 0 ? '/two-factor' : `/two-factor?${query}`;
}
