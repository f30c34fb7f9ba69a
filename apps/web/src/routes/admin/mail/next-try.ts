/** When a letter that waits is tried once more. Pure. */
import type { LetterNote } from '@cambist/contract/mail';

export type Tried = Pick<LetterNote, 'state' | 'attempts' | 'next_attempt_at'>;

/** A moment to come, or `due` once it is past; null where no try has failed. */
export function nextTry({ state, attempts, next_attempt_at }: Tried, now: number): string | null {
  if (state !== 'waiting' || attempts === 0 || next_attempt_at === null) return null;
  return Date.parse(next_attempt_at) > now ? next_attempt_at : 'due';
}
