/**
 * Tries of the app's codes, counted by account alone: whoever tries one has
 * given the right password already, so no stranger can use this to lock somebody
 * out, and a thief of passwords gains nothing from having many networks. The
 * owner gets in past such a thief: by a recovery code, which is not counted
 * here, or by a new password, which ends the count.
 */
import { HOUR, SECOND, type Clock } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { tooManyAttempts } from '#platform/throttles.ts';

/** Of a million codes three are right at a time: a day of trying finds one in 600. */
const TRIES = 20;
const WINDOW_MS = HOUR;
const MAX_COUNTERS = 20_000;

export interface CodeTries {
  /**
   * Counts one try before its code is looked at, so that many at once gain nothing.
   * @throws {Refusal} 429
   */
  count(userId: Id): void;
  succeeded(userId: Id): void;
}

export function openCodeTries(clock: Clock, scale: number): CodeTries {
  const counters = new Map<Id, { tries: number; endsAt: number }>();
  return {
    count(userId) {
      if (scale === 0) return;
      const now = clock().getTime();
      const known = counters.get(userId);
      const counter = known && known.endsAt > now ? known : { tries: 0, endsAt: now + WINDOW_MS };
      if (counter.tries >= Math.max(1, TRIES * scale)) {
        throw tooManyAttempts(Math.max(1, Math.ceil((counter.endsAt - now) / SECOND)));
      }
      counter.tries += 1;
      counters.delete(userId);
      counters.set(userId, counter);
      if (counters.size > MAX_COUNTERS) counters.delete(counters.keys().next().value ?? '');
    },
    succeeded(userId) {
      counters.delete(userId);
    },
  };
}
