/**
 * Counts failed sign-ins, so that guessing is slow from one network and bounded from any number of them,
 * and no attacker can lock an owner out: an account with too many failures refuses every password from
 * browsers that it does not know, the right one too, and works as before for those that it knows
 * (docs/decisions/0035-guessing.md).
 */
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notifyCountsDeleted, type Counter, type Counters } from '#platform/security/counters.ts';
import type { Tx } from '#platform/db/database.ts';
import {
  networkOf,
  tooManyAttempts,
  WIDER_ALLOWANCE,
  widerNetworkOf,
} from '#platform/security/throttles.ts';

/** Failures of one account from one network in one minute; from an IPv6 /48 ten times as many. */
const PAIR_FAILURES = 5;
const PAIR_WINDOW_MS = MINUTE;
/** The same while the account or the service is under attack. */
const PAIR_FAILURES_UNDER_ATTACK = 2;
/** This many failures from unknown browsers, in either window, close an account to them. */
const ACCOUNT_FAILURES = 50;
const ACCOUNT_WINDOW_MS = 15 * MINUTE;
const ACCOUNT_FAILURES_A_DAY = 100;
/** Failures of one known browser in a day; after that it counts as unknown. */
const BROWSER_FAILURES = 20;
/** More failures than this, from all networks to all accounts, mean that the service is under attack. */
const GLOBAL_FAILURES = 600;
const GLOBAL_WINDOW_MS = MINUTE;
/** At most 60 MB. To make one address forgotten, an attacker must fail with this many others. */
const MOST_ADDRESSES = 200_000;
/** Of a million codes three are valid at a time: a day finds one in 600, or so many more as processes count. */
const CODE_TRIES = 20;
const CODE_WINDOW_MS = HOUR;
/** Enough for an attack from many networks. */
const MOST_KEYS = 20_000;

const PAIRS = 'sign-in pair';
const QUARTERS = 'sign-in quarter';
const DAYS = 'sign-in day';
const CODES = 'second factor';

/** One try of an account's password. */
export interface Guess {
  readonly email: string;
  readonly ip: string;
  /** Identifies a browser that the account knows; null for any other. */
  readonly browser: string | null;
}

/**
 * Tries of authenticator codes, counted by account alone: each needs the right password first, so nobody
 * else can use them up, and many networks do not help a thief of the password. The owner gets past such a
 * thief by a recovery code, which is not counted, or by a new password, which resets the count.
 */
export interface CodeTries {
  /** Counts a try before its code is checked, so that concurrent tries gain nothing. @throws {Refusal} 429 */
  count(userId: Id): void;
  succeeded(userId: Id): void;
}

export interface Attempts {
  readonly codes: CodeTries;
  /** @throws {Refusal} 429 when this account has seen too many failures from this network. */
  check(guess: Guess): void;
  /** Whether any password is refused now, even the right one: the caller answers as for a wrong one. */
  isClosed(guess: Guess): boolean;
  failed(guess: Guess): void;
  succeeded(guess: Guess): void;
  /** The owner has proved who they are: resets all counts of the account. */
  proved(email: string): void;
}

export function openAttempts({ open }: Pick<Counters, 'open'>, scale: number): Attempts {
  const pairs = open(PAIRS, { windowMs: PAIR_WINDOW_MS, mostKeys: MOST_KEYS });
  const browsers = open('sign-in browser', { windowMs: DAY, mostKeys: MOST_KEYS });
  const everything = open('sign-in', { windowMs: GLOBAL_WINDOW_MS, mostKeys: 1 });
  // Failures of unknown browsers from all networks, by address. Addresses without an account are counted
  // too: else a forgotten count would show which addresses have one.
  const addresses = { mostKeys: MOST_ADDRESSES };
  const quarters = open(QUARTERS, { windowMs: ACCOUNT_WINDOW_MS, ...addresses });
  const days = open(DAYS, { windowMs: DAY, ...addresses });

  const isOver = (count: number, limit: number) => count >= limit * scale;
  const isAttacked = (email: string) =>
    isOver(quarters.read(email).count, ACCOUNT_FAILURES) ||
    isOver(days.read(email).count, ACCOUNT_FAILURES_A_DAY);
  const isTrusted = ({ browser }: Guess) =>
    browser !== null && !isOver(browsers.read(browser).count, BROWSER_FAILURES);

  return {
    codes: openCodeTries(open(CODES, { windowMs: CODE_WINDOW_MS, mostKeys: MOST_KEYS }), scale),

    check(guess) {
      if (scale === 0) return;
      const attacked =
        isAttacked(guess.email) || isOver(everything.read('all').count, GLOBAL_FAILURES);
      const most = attacked ? PAIR_FAILURES_UNDER_ATTACK : PAIR_FAILURES;
      for (const { key, times } of pairsOf(guess)) {
        const { count, msLeft } = pairs.read(key);
        if (isOver(count, most * times)) throw refusal(msLeft);
      }
    },

    isClosed: (guess) => scale > 0 && !isTrusted(guess) && isAttacked(guess.email),

    failed(guess) {
      const { email, browser } = guess;
      for (const { key } of pairsOf(guess)) pairs.add(key);
      everything.add('all');
      if (browser !== null && isTrusted(guess)) browsers.add(browser);
      else if (!isAttacked(email)) {
        quarters.add(email);
        days.add(email);
      }
    },

    succeeded({ email, ip }) {
      pairs.delete(`${email} ${networkOf(ip)}`);
    },

    proved(email) {
      for (const counters of [quarters, days]) counters.delete(email);
      pairs.deleteAll(`${email} `);
    },
  };
}

/** As `proved` and `codes.succeeded`, for a process that is not the service. */
export async function notifyProved(
  tx: Tx,
  { id, email }: { id: Id; email: string },
): Promise<void> {
  for (const [name, key] of [
    [PAIRS, `${email} `],
    [QUARTERS, email],
    [DAYS, email],
    [CODES, id],
  ] as const)
    await notifyCountsDeleted(tx, { name, key, isPrefix: name === PAIRS });
}

function openCodeTries(tries: Counter, scale: number): CodeTries {
  return {
    count(userId) {
      if (scale === 0) return;
      const { count, msLeft } = tries.read(userId);
      if (count >= Math.max(1, CODE_TRIES * scale)) throw refusal(msLeft);
      tries.add(userId);
    },
    succeeded: (userId) => tries.delete(userId),
  };
}

/** 429 until the count ends. */
function refusal(msLeft: number) {
  return tooManyAttempts(Math.max(1, Math.ceil(msLeft / SECOND)));
}

/** The networks that a guess counts for, and how many times the allowance each has. */
function pairsOf({ email, ip }: Guess): { key: string; times: number }[] {
  const wider = widerNetworkOf(ip);
  return [
    { key: `${email} ${networkOf(ip)}`, times: 1 },
    ...(wider === null ? [] : [{ key: `${email} ${wider}`, times: WIDER_ALLOWANCE }]),
  ];
}
