/**
 * Rate limits: by user when signed in, else by network (for IPv6 by /64 and /48), and by both where new
 * accounts would get around them. THROTTLE_SCALE multiplies them all; 0 turns them off. Counted in fixed
 * windows, after 419, 401, 403 and 415 and before the body is read, so invalid requests count too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

/** The hook that counts a request against its endpoint's limit; null when they are off. Needs @fastify/rate-limit. */
export function openThrottles(app: FastifyInstance, scale: number) {
  if (scale === 0) return null;
  const limiters = Object.fromEntries(
    Object.entries(throttles).map(([name, limit]) => [name, limitersOf(app, limit, scale)]),
  );

  return async function throttle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limiter = limiters[request.routeOptions.config.endpoint?.throttle ?? ''];
    if (limiter === undefined) return;
    const { user, network } = limiter;
    // The user first: a user over their own limit takes nothing from their network's.
    if (request.actor) count(await user(request), reply);
    if (!request.actor || network.isShared) count(await network.limiter(request), reply);
  };
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

function limitersOf(app: FastifyInstance, { most, windowMs, alsoByNetwork }: Limit, scale: number) {
  const limit = { max: Math.max(1, Math.round(most * scale)), timeWindow: windowMs };
  const user = (request: FastifyRequest) => `user ${request.actor?.id ?? ''}`;
  const network = (request: FastifyRequest) => `network ${networkOf(request.ip)}`;
  const wider = (request: FastifyRequest) => `network ${widerNetworkOf(request.ip)}`;
  const byNetwork = app.createRateLimit({ ...limit, keyGenerator: network });
  const byWiderNetwork = app.createRateLimit({
    ...limit,
    max: limit.max * WIDER_ALLOWANCE,
    keyGenerator: wider,
  });
  return {
    user: app.createRateLimit({ ...limit, keyGenerator: user }),
    network: {
      async limiter(request: FastifyRequest): ReturnType<Limiter> {
        const counted = await byNetwork(request);
        // A network over its own limit takes nothing from its neighbours'.
        const isOver = !counted.isAllowed && counted.isExceeded;
        if (isOver || widerNetworkOf(request.ip) === null) return counted;
        const countedWider = await byWiderNetwork(request);
        return !countedWider.isAllowed && countedWider.isExceeded ? countedWider : counted;
      },
      isShared: alsoByNetwork ?? false,
    },
  };
}

/** @throws {Refusal} 429 */
function count(counted: Awaited<ReturnType<Limiter>>, reply: FastifyReply): void {
  if (counted.isAllowed) return;
  reply.header('x-ratelimit-limit', String(counted.max));
  // The smaller one of two limits.
  const earlier = Number(reply.getHeader('x-ratelimit-remaining') ?? counted.remaining);
  reply.header('x-ratelimit-remaining', String(Math.min(earlier, counted.remaining)));
  if (!counted.isExceeded) return;
  const resetAt = Math.ceil((Date.now() + counted.ttl) / SECOND);
  reply.header('x-ratelimit-reset', String(resetAt));
  throw tooManyAttempts(Math.max(1, counted.ttlInSeconds));
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
