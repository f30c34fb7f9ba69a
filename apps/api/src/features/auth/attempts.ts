/**
 * Failed sign-ins, counted so that guessing is slow and nobody can lock somebody
 * else out: the limit is for one account from one network. When an account or
 * the whole service is under attack that allowance shrinks, but never to zero.
 */
import { MINUTE, SECOND, type Clock } from '#kernel/clock.ts';
import { networkOf, tooManyAttempts } from '#platform/throttles.ts';
import { openCodeTries, type CodeTries } from './code-tries.ts';

/** Failures that one account may see from one network in one minute. */
const PAIR_FAILURES = 5;
const PAIR_WINDOW_MS = MINUTE;
/** The same while the account or the service is under attack. */
const PAIR_FAILURES_UNDER_ATTACK = 2;
/** An account counts as under attack above this, from all networks together. */
const ACCOUNT_FAILURES = 50;
const ACCOUNT_WINDOW_MS = 15 * MINUTE;
/** The service counts as under attack above this, from all networks to all accounts. */
const GLOBAL_FAILURES = 600;
const GLOBAL_WINDOW_MS = MINUTE;
/** Enough for an attack from many networks; beyond, the oldest are forgotten. */
const MAX_COUNTERS = 20_000;

interface Counter {
  count: number;
  endsAt: number;
}

export interface Attempts {
  /** Tries of second factors' codes. */
  readonly codes: CodeTries;
  /** @throws {Refusal} 429 when this account has seen too many failures from this network. */
  check(email: string, ip: string): void;
  failed(email: string, ip: string): void;
  succeeded(email: string, ip: string): void;
  /** Whoever has just proved to own the account starts afresh, from every network. */
  proved(email: string): void;
}

export function openAttempts(clock: Clock, scale: number): Attempts {
  const counters = new Map<string, Counter>();

  function read(key: string): Counter | null {
    const counter = counters.get(key);
    if (!counter || counter.endsAt > clock().getTime()) return counter ?? null;
    counters.delete(key);
    return null;
  }

  function count(key: string, windowMs: number): void {
    const counter = read(key) ?? { count: 0, endsAt: clock().getTime() + windowMs };
    counter.count += 1;
    counters.delete(key);
    counters.set(key, counter);
    if (counters.size > MAX_COUNTERS) counters.delete(counters.keys().next().value ?? '');
  }

  const over = (key: string, limit: number) => (read(key)?.count ?? 0) >= limit * scale;

  return {
    codes: openCodeTries(clock, scale),

    check(email, ip) {
      if (scale === 0) return;
      const attacked =
        over(`account ${email}`, ACCOUNT_FAILURES) || over('everything', GLOBAL_FAILURES);
      const pair = `pair ${email} ${networkOf(ip)}`;
      if (!over(pair, attacked ? PAIR_FAILURES_UNDER_ATTACK : PAIR_FAILURES)) return;
      const waitMs = (read(pair)?.endsAt ?? 0) - clock().getTime();
      throw tooManyAttempts(Math.max(1, Math.ceil(waitMs / SECOND)));
    },

    failed(email, ip) {
      count(`pair ${email} ${networkOf(ip)}`, PAIR_WINDOW_MS);
      count(`account ${email}`, ACCOUNT_WINDOW_MS);
      count('everything', GLOBAL_WINDOW_MS);
    },

    succeeded(email, ip) {
      counters.delete(`pair ${email} ${networkOf(ip)}`);
    },

    proved(email) {
      counters.delete(`account ${email}`);
      const pair = `pair ${email} `;
      for (const key of counters.keys()) if (key.startsWith(pair)) counters.delete(key);
    },
  };
}
