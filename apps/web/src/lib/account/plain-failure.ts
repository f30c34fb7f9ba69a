/** Which refusals no field of a form shows. Pure. */
import type { Failure } from '#lib/api/client.ts';

/** The refusal, when it is about the whole form; null when fields show it. */
export function plainFailureOf(failure: Failure | null): Failure | null {
  if (failure === null) return null;
  const shown = Object.keys(failure.errors).some((field) => field !== 'passkey');
  return shown ? null : failure;
}
