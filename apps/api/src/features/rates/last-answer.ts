/** Pure: what a provider said last, be it to a run or to a test of its stored key. */
import type { RateProviderNote } from '@cambist/contract/rates';
import type { RateFailure } from '@cambist/contract/rate-settings';
import { hasNewKey } from './breaker.ts';
import type { ProviderState } from './store.ts';
import { failureWords } from './words.ts';

export type LastAnswer = Pick<
  ProviderState,
  'answer_at' | 'answer_to' | 'answer_failure' | 'unusable'
>;

type Said = { readonly failure: RateFailure } | { readonly unusable: string | null };

/** As it is remembered. `at`: when the asking began. Of the key only a refusal and an answer say anything. */
export function answerTo(
  to: 'run' | 'test',
  at: Date,
  said: Said,
): LastAnswer & Partial<Pick<ProviderState, 'refused_at'>> {
  const answer = { answer_at: at, answer_to: to };
  if (!('failure' in said))
    return { ...answer, answer_failure: null, unusable: said.unusable, refused_at: null };
  const { failure } = said;
  return {
    ...answer,
    answer_failure: failure,
    unusable: null,
    ...(failure === 'invalid_key' && { refused_at: at }),
  };
}

/** As admins are told of it; null where none is known, or it was one to another key than the present one. */
export function lastAnswer(
  { answer_at, answer_to, answer_failure, unusable }: LastAnswer,
  label: string,
  keySetAt: Date | null,
): RateProviderNote['last_answer'] {
  if (answer_at === null || answer_to === null || hasNewKey(answer_at, keySetAt)) return null;
  const answer = { at: answer_at.toISOString(), to: answer_to };
  const failure = answer_failure as RateFailure | null;
  if (failure) return { ...answer, outcome: failure, message: failureWords(label, failure) };
  return { ...answer, outcome: unusable === null ? 'ok' : 'unusable', message: unusable };
}
