/** Why no letter went, in words. */
import type { Failure } from '#lib/api/client.ts';
import { noLetterSent } from '#lib/account/email-limit.ts';
import { m } from '#lib/paraglide/messages.js';

/** Up to so many seconds it is a little patience that is asked for. */
const ABOUT_A_MINUTE = 90;

/** `seconds`: after which the next one can go, where that is known. Not told: the words stay on the page. */
export function nextLetter(seconds = 60): string {
  return seconds <= ABOUT_A_MINUTE ? m.account_letter_next_soon() : m.account_letter_next_later();
}

export function letterRefused(refusal: Failure): string {
  if (refusal.code === 'too_many_emails') return noLetterSent(refusal.retry_after);
  return refusal.status === 429 ? nextLetter(refusal.retry_after) : m.account_letter_failed();
}
