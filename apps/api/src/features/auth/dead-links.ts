/** What is answered where the link of an email leads nowhere. */
import { Refusal } from '#kernel/refusal.ts';

export function linkInvalid(): Refusal {
  return new Refusal(
    409,
    'link_invalid',
    'This link is not right, or was used already. Ask for a new one.',
  );
}

export function linkExpired(): Refusal {
  return new Refusal(409, 'link_expired', 'This link has expired. Ask for a new one.');
}
