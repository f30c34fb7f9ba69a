/**
 * Rate limits: by user when signed in, else by network (for IPv6 by /64 and /48), and by both where new
 * accounts would get around them. THROTTLE_SCALE multiplies them all; 0 turns them off. Counted in fixed
 * windows, after 419, 401, 403 and 415 and before the body is read, so invalid requests count too.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Throttle } from '@cambist/contract/endpoint';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';

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
  count(throttle: Throttle, caller: Caller): Promise<Counted>;
}

/** Null when they are off. */
export function openThrottles(scale: number): Throttles | null {
  if (scale === 0) return null;
  const counters = new Map<string, Counter>();
  for (const [name, { most, windowMs }] of Object.entries(throttles))
    counters.set(name, openCounter(Math.max(1, Math.round(most * scale)), windowMs));

  return {
    async count(throttle, { ip, userId }) {
      const counter = counters.get(throttle);
      if (counter === undefined) throw new Error(`There is no throttle ${throttle}.`);
      const network = networkOf(ip);
      const wider = widerNetworkOf(ip);
      // The narrowest first: a user or network over its own limit takes nothing from those around it.
      const user = userId === null ? null : await counter(`user ${userId}`);
      const isByNetwork = user === null || throttles[throttle].alsoByNetwork;
      if (user?.isExceeded || !isByNetwork) return counted(user);
      const narrow = await counter(`network ${network}`);
      if (narrow.isExceeded || wider === null) return counted(user, narrow);
      const wide = await counter(`network ${wider}`, WIDER_ALLOWANCE);
      return wide.isExceeded ? counted(wide) : counted(user, narrow);
    },
  };
}

/** The hook that counts a request against its endpoint's limit. @throws {Refusal} 429 */
export function countRequest(throttles: Throttles) {
  return async ({ ip, actor, routeOptions }: FastifyRequest, reply: FastifyReply) => {
    const { endpoint } = routeOptions.config;
    if (endpoint === undefined) return;
    const counted = await throttles.count(endpoint.throttle, { ip, userId: actor?.id ?? null });
    reply.headers(counted.headers);
    if (counted.retryAfterSeconds !== null) throw tooManyAttempts(counted.retryAfterSeconds);
  };
}

interface Count {
  readonly limit: number;
  readonly remaining: number;
  readonly msLeft: number;
  readonly isExceeded: boolean;
}

type Counter = ReturnType<typeof openCounter>;

function openCounter(most: number, windowMs: number) {
  const limiter = new RateLimiterMemory({ points: most, duration: windowMs / SECOND });
  return async (key: string, times = 1): Promise<Count> => {
    const limit = most * times;
    const { consumedPoints, msBeforeNext: msLeft } = await limiter.penalty(key);
    const remaining = Math.max(0, limit - consumedPoints);
    return { limit, remaining, msLeft, isExceeded: consumedPoints > limit };
  };
}

/** Of two limits the one with less remaining. */
function counted(...counts: (Count | null)[]): Counted {
  const { limit, remaining, msLeft, isExceeded } = counts
    .filter((count) => count !== null)
    .reduce((one, other) => (other.remaining < one.remaining ? other : one));
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
  };
  if (!isExceeded) return { headers, retryAfterSeconds: null };
  const resetAt = Math.ceil((Date.now() + msLeft) / SECOND);
  return {
    headers: { ...headers, 'x-ratelimit-reset': String(resetAt) },
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / SECOND)),
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
