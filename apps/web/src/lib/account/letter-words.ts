/** Why no letter went, in words. */
import { anotherWords } from '#lib/another-words.ts';
import type { Failure } from '#lib/api.ts';
import { noLetterSent } from '#lib/letters-wait.ts';
import { m } from '#lib/paraglide/messages.js';
import { isAnother } from '#lib/person.ts';
import { letterWait } from './letter-refusal.ts';

/** `seconds`: after which the next one can go, where that is known. */
export function nextLetter(seconds: number | undefined): string {
  const wait = letterWait(seconds);
  return 'minutes' in wait
    ? m.account_letter_next_minutes(wait)
    : m.account_letter_next_seconds(wait);
}

export function letterRefused(refusal: Failure): string {
  if (refusal.code === 'too_many_letters') return noLetterSent(refusal.retry_after);
  if (isAnother(refusal)) return anotherWords(refusal);
  return refusal.status === 429 ? nextLetter(refusal.retry_after) : m.account_letter_failed();
}
