/** Whether sign-up was refused because the address has an account already. Pure. */
import type { Failure } from '#lib/api/client.ts';

/** The service has no code of its own for it: the sentence is part of its promise. */
const taken = /already been taken/;

export function isEmailTaken(failure: Pick<Failure, 'errors'> | null): boolean {
  return failure?.errors['email']?.some((message) => taken.test(message)) ?? false;
}
