/**
 * Rate limits: by user when signed in, else by network (for IPv6 by /64 and /48), and by both where new
 * accounts would get around them. THROTTLE_SCALE multiplies them all; 0 turns them off. Counted in fixed
 * windows, after 419, 401, 403 and 415 and before the body is read, so invalid requests count too.
 */
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { Throttle } from '@cambist/contract/endpoint';
import { HOUR, MINUTE, SECOND, type Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Counters } from './counters.ts';

export interface Limit {
  readonly most: number;
  readonly windowMs: number;
  /** Counts signed-in users by network too: anyone can open many accounts. */
  readonly alsoByNetwork?: true;
}

export const throttles: Readonly<Record<Throttle, Limit>> = {
  read: { most: 600, windowMs: MINUTE },
  // Pictures of public pages: one page shows a dozen, and a whole office may share a network.
  file: { most: 6000, windowMs: MINUTE },
  write: { most: 120, windowMs: MINUTE },
  quote: { most: 240, windowMs: MINUTE },
  signin: { most: 30, windowMs: MINUTE, alsoByNetwork: true },
  signup: { most: 20, windowMs: MINUTE, alsoByNetwork: true },
  upload: { most: 30, windowMs: MINUTE },
  report: { most: 5, windowMs: MINUTE, alsoByNetwork: true },
  email: { most: 6, windowMs: MINUTE, alsoByNetwork: true },
  // Each calls rate providers, whose plans have limits.
  run: { most: 6, windowMs: MINUTE },
  // Each change of a second factor sends an email.
  factors: { most: 10, windowMs: HOUR },
  // A faulty page reports at each visit.
  policy: { most: 30, windowMs: MINUTE },
};

/** At most 30 MB for each throttle. */
const MOST_KEYS = 100_000;

/** The allowance of a /48, in times that of one network: an attacker with a whole /48 gets no more. */
export const WIDER_ALLOWANCE = 10;

export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  return new Refusal(429, 'too_many_attempts', 'Too Many Attempts.', { retryAfterSeconds });
}

export interface Caller {
  readonly ip: string;
  /** Null for a guest. */
  readonly userId: string | null;
}

export interface Counted {
  /** Of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null within the limits; else the request is refused. */
  readonly retryAfterSeconds: number | null;
}

export interface Throttles {
  /** Counts a request. */
  count(throttle: Throttle, caller: Caller): Counted;
}

/** Null when they are off. */
export function openThrottles(
  { counters, clock }: { readonly counters: Counters; readonly clock: Clock },
  scale: number,
): Throttles | null {
  if (scale === 0) return null;
  const counts = new Map(
    Object.entries(throttles).map(([name, { most, windowMs }]) => {
      const counter = counters.open(name, { windowMs, mostKeys: MOST_KEYS });
      const limit = Math.max(1, Math.round(most * scale));
      return [name, (key: string, times = 1) => ({ ...counter.add(key), limit: limit * times })];
    }),
  );

  return {
    count(throttle, { ip, userId }) {
      const count = counts.get(throttle);
      if (count === undefined) throw new Error(`There is no throttle ${throttle}.`);
      const network = networkOf(ip);
      const wider = widerNetworkOf(ip);
      // The narrowest first: a user or network over its own limit takes nothing from those around it.
      const user = userId === null ? null : count(`user ${userId}`);
      const isByNetwork = user === null || throttles[throttle].alsoByNetwork;
      if ((user !== null && isExceeded(user)) || !isByNetwork) return counted(clock, user);
      const narrow = count(`network ${network}`);
      if (isExceeded(narrow) || wider === null) return counted(clock, user, narrow);
      const wide = count(`network ${wider}`, WIDER_ALLOWANCE);
      return isExceeded(wide) ? counted(clock, wide) : counted(clock, user, narrow);
    },
  };
}

/** The hook that counts a request against its endpoint's limit. @throws {Refusal} 429 */
export function countRequest(throttles: Throttles) {
  return (
    { ip, actor, routeOptions }: FastifyRequest,
    reply: FastifyReply,
    _payload: RequestPayload,
    next: (error?: Error) => void,
  ) => {
    const { endpoint } = routeOptions.config;
    if (endpoint === undefined) return next();
    const counted = throttles.count(endpoint.throttle, { ip, userId: actor?.id ?? null });
    reply.headers(counted.headers);
    const { retryAfterSeconds } = counted;
    next(retryAfterSeconds === null ? undefined : tooManyAttempts(retryAfterSeconds));
  };
}

interface Count {
  readonly limit: number;
  readonly count: number;
  readonly msLeft: number;
}

const isExceeded = ({ count, limit }: Count) => count > limit;
const remaining = ({ count, limit }: Count) => Math.max(0, limit - count);

/** Of two limits the one with less remaining. */
function counted(clock: Clock, ...counts: (Count | null)[]): Counted {
  const least = counts
    .filter((count) => count !== null)
    .reduce((one, other) => (remaining(other) < remaining(one) ? other : one));
  const headers = {
    'x-ratelimit-limit': String(least.limit),
    'x-ratelimit-remaining': String(remaining(least)),
  };
  if (!isExceeded(least)) return { headers, retryAfterSeconds: null };
  const resetAt = Math.ceil((clock().getTime() + least.msLeft) / SECOND);
  return {
    headers: { ...headers, 'x-ratelimit-reset': String(resetAt) },
    retryAfterSeconds: Math.max(1, Math.ceil(least.msLeft / SECOND)),
  };
}

/** An IPv4 address itself, also when mapped into IPv6; the /64 of an IPv6 address, which one household gets. */
export function networkOf(ip: string): string {
  const bare = ip.replace(/%.*$/, '');
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]`)) return bare;
  const groups = sixteenBitGroups(new URL(`http://[${bare}]`).hostname.slice(1, -1));
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The /48 of an IPv6 address, which a site or a small provider gets; null for IPv4. */
export function widerNetworkOf(ip: string): string | null {
  if (!ip.includes(':')) return null;
  const network = networkOf(ip);
  if (!network.includes(':')) return null;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** The eight groups of an address in its canonical, shortened form. */
function sixteenBitGroups(canonical: string): number[] {
  const [head = '', tail] = canonical.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => 0), ...after];
}
