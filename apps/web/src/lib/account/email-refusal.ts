/** Which refusal of a letter is told after several presses. Pure. */
import type { Failure } from '#lib/api/client.ts';

/**
 * What stands after this try. Pressed again where an address has had its letters, the service says
 * only that this was too soon: the reason, and the way out that goes with it, stay.
 */
export function standingRefusal(before: Failure | null, now: Failure | null): Failure | null {
  const isReason = before?.code === 'too_many_emails';
  return isReason && now?.code === 'too_many_attempts' ? before : now;
}
