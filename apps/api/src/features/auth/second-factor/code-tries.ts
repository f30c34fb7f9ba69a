/**
 * Tries of the app's codes, counted by account alone: whoever tries one has
 * given the right password already, so no stranger can use this to lock somebody
 * out, and a thief of passwords gains nothing from having many networks. The
 * owner gets in past such a thief: by a recovery code, which is not counted
 * here, or by a new password, which ends the count.
 */
import { HOUR, SECOND, type Clock } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { tooManyAttempts } from '#platform/security/throttles.ts';
import { openCounters } from '../sign-in/counters.ts';

/** Of a million codes three are right at a time: a day of trying finds one in 600. */
const TRIES = 20;
const WINDOW_MS = HOUR;

export interface CodeTries {
  /**
   * Counts one try before its code is looked at, so that many at once gain nothing.
   * @throws {Refusal} 429
   */
  count(userId: Id): void;
  succeeded(userId: Id): void;
}

export function openCodeTries(clock: Clock, scale: number): CodeTries {
  const tries = openCounters(clock);
  return {
    count(userId) {
      if (scale === 0) return;
      if (tries.read(userId) >= Math.max(1, TRIES * scale)) {
        throw tooManyAttempts(Math.max(1, Math.ceil(tries.msLeft(userId) / SECOND)));
      }
      tries.add(userId, WINDOW_MS);
    },
    succeeded: (userId) => tries.delete(userId),
  };
}
