/**
 * Failed sign-ins, counted so that guessing is slow from one network and bounded
 * from any number of them, and so that no stranger locks an owner out: an account
 * that too many failures went against refuses every password from browsers that
 * it does not know, the right one too, and goes on as before for those that it
 * knows (docs/decisions/0035-guessing.md). In memory of one process: a restart
 * begins anew.
 */
import { DAY, HOUR, MINUTE, SECOND, type Clock } from '#kernel/clock.ts';
import {
  networkOf,
  tooManyAttempts,
  WIDER_ALLOWANCE,
  widerNetworkOf,
} from '#platform/security/throttles.ts';
import { openCodeTries, type CodeTries } from '../second-factor/code-tries.ts';
import { openCounters } from './counters.ts';

/** Failures that one account may see from one network in one minute; from an IPv6 /48 ten times as many. */
const PAIR_FAILURES = 5;
const PAIR_WINDOW_MS = MINUTE;
/** The same while the account or the service is under attack. */
const PAIR_FAILURES_UNDER_ATTACK = 2;
/** An account is closed to unknown browsers from this many failures of theirs on, in either window. */
const ACCOUNT_FAILURES = 50;
const ACCOUNT_WINDOW_MS = 15 * MINUTE;
const ACCOUNT_FAILURES_A_DAY = 100;
/** Failures that one known browser may cause in a day; after that it counts as unknown. */
const BROWSER_FAILURES = 20;
/** The service counts as under attack above this, from all networks to all accounts. */
const GLOBAL_FAILURES = 600;
const GLOBAL_WINDOW_MS = MINUTE;
/** Failures against so many other addresses, each a password hashed, make one be forgotten; at most 60 MB. */
const MOST_ADDRESSES = 200_000;
/** Between two emails with a link to one address. */
const LINK_PAUSE_MS = HOUR;

/** One try of an account's password. */
export interface Guess {
  readonly email: string;
  readonly ip: string;
  /** Names a browser that the account knows; null for any other. */
  readonly browser: string | null;
}

export interface Attempts {
  /** Tries of second factors' codes. */
  readonly codes: CodeTries;
  /** @throws {Refusal} 429 when this account has seen too many failures from this network. */
  check(guess: Guess): void;
  /** Whether the password counts for nothing now, right or wrong: the caller answers as to a wrong one. */
  isClosed(guess: Guess): boolean;
  failed(guess: Guess): void;
  succeeded(guess: Guess): void;
  /** True once an hour for an address, whether an account has it or not: when to ask for a link. */
  mayAskForLink(email: string): boolean;
  /** A link was used, so that another browser of the owner's may ask for one at once. */
  linkUsed(email: string): void;
  /** The owner has proved that the account is theirs: it starts afresh, from every network, and may ask for a link. */
  proved(email: string): void;
}

export function openAttempts(clock: Clock, scale: number): Attempts {
  const pairs = openCounters(clock);
  const browsers = openCounters(clock);
  const links = openCounters(clock);
  const everything = openCounters(clock);
  // Of unknown browsers, by address, from all networks together. Addresses without an account are
  // counted beside the others: which of them were forgotten must not tell them apart.
  const quarters = openCounters(clock, MOST_ADDRESSES);
  const days = openCounters(clock, MOST_ADDRESSES);

  const isOver = (count: number, limit: number) => count >= limit * scale;
  const isAttacked = (email: string) =>
    isOver(quarters.read(email), ACCOUNT_FAILURES) ||
    isOver(days.read(email), ACCOUNT_FAILURES_A_DAY);
  const isTrusted = ({ browser }: Guess) =>
    browser !== null && !isOver(browsers.read(browser), BROWSER_FAILURES);

  return {
    codes: openCodeTries(clock, scale),

    check(guess) {
      if (scale === 0) return;
      const attacked =
        isAttacked(guess.email) || isOver(everything.read('everything'), GLOBAL_FAILURES);
      const most = attacked ? PAIR_FAILURES_UNDER_ATTACK : PAIR_FAILURES;
      for (const { key, times } of pairsOf(guess)) {
        if (!isOver(pairs.read(key), most * times)) continue;
        throw tooManyAttempts(Math.max(1, Math.ceil(pairs.msLeft(key) / SECOND)));
      }
    },

    isClosed: (guess) => scale > 0 && !isTrusted(guess) && isAttacked(guess.email),

    failed(guess) {
      const { email, browser } = guess;
      for (const { key } of pairsOf(guess)) pairs.add(key, PAIR_WINDOW_MS);
      everything.add('everything', GLOBAL_WINDOW_MS);
      if (browser !== null && isTrusted(guess)) browsers.add(browser, DAY);
      else if (!isAttacked(email)) {
        quarters.add(email, ACCOUNT_WINDOW_MS);
        days.add(email, DAY);
      }
    },

    succeeded({ email, ip }) {
      pairs.delete(`${email} ${networkOf(ip)}`);
    },

    mayAskForLink(email) {
      if (links.read(email) > 0) return false;
      links.add(email, LINK_PAUSE_MS);
      return true;
    },

    linkUsed: (email) => links.delete(email),

    proved(email) {
      for (const counters of [quarters, days, links]) counters.delete(email);
      pairs.deleteAll(`${email} `);
    },
  };
}

/** The networks that a guess counts for, with the address, and how many times the allowance each has. */
function pairsOf({ email, ip }: Guess): { key: string; times: number }[] {
  const wider = widerNetworkOf(ip);
  return [
    { key: `${email} ${networkOf(ip)}`, times: 1 },
    ...(wider === null ? [] : [{ key: `${email} ${wider}`, times: WIDER_ALLOWANCE }]),
  ];
}
