/** The second step's page: which ways a sign-in may be ended by stands in its address. Pure. */
import type { SecondStep } from '@cambist/contract/accounts';

export type StepMethod = SecondStep['methods'][number];

const all: readonly StepMethod[] = ['totp', 'passkey', 'recovery_code'];

/** `next`: where the person was going, safe or not. `by`: the way that is shown first. */
export function secondStepPath(
  methods: readonly StepMethod[],
  next: string | null,
  by?: StepMethod,
): string {
  const query = new URLSearchParams({ methods: methods.join(' ') });
  if (by !== undefined) query.set('by', by);
  if (next !== null) query.set('next', next);
  return `/two-factor?${query}`;
}

/** Without a word in the address, every way is offered: the service decides anyway. */
export function stepMethods(query: Pick<URLSearchParams, 'get'>): readonly StepMethod[] {
  const named = (query.get('methods') ?? '').split(' ');
  const methods = all.filter((method) => named.includes(method));
  return methods.length > 0 ? methods : all;
}
