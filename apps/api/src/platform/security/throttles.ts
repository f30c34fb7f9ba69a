/**
 * How often one caller may ask: by person when signed in, else by network (of IPv6
 * by /64 and by /48); by both where a new account would else be a new allowance.
 * The numbers stand here once; THROTTLE_SCALE multiplies them all, and 0 switches
 * them off. Counted in fixed windows, after 419, 401, 403 and 415 and before the
 * body is read: one that is invalid (422) costs its sender as much as any other.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Throttle } from '@cambist/contract/endpoint';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';

export interface Limit {
  readonly most: number;
  readonly windowMs: number;
  /** Counted for the network too when somebody is signed in: whoever can open accounts has as many as they like. */
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
  // Each asks others, whose plans count.
  run: { most: 6, windowMs: MINUTE },
  // Each change of a second factor sends an email; no person makes many in an hour.
  factors: { most: 10, windowMs: HOUR },
  // A page with a fault reports it at each visit; counting it more often tells nothing more.
  policy: { most: 30, windowMs: MINUTE },
};

/**
 * How many times the allowance of one network its /48 has: enough for ten busy households of one
 * provider, and no more than ten for an attacker who has all of it.
 */
export const WIDER_ALLOWANCE = 10;

export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  return new Refusal(429, 'too_many_attempts', 'Too Many Attempts.', { retryAfterSeconds });
}

/** The hook that counts a request against its endpoint's throttle; null where they are off. Needs @fastify/rate-limit. */
export function openThrottles(app: FastifyInstance, scale: number) {
  if (scale === 0) return null;
  const limiters = Object.fromEntries(
    Object.entries(throttles).map(([name, limit]) => [name, limitersOf(app, limit, scale)]),
  );

  return async function throttle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limiter = limiters[request.routeOptions.config.endpoint?.throttle ?? ''];
    if (limiter === undefined) return;
    const { person, network } = limiter;
    // The person first: who has used up their own allowance takes nothing of their network's.
    if (request.actor) count(await person(request), reply);
    if (!request.actor || network.isShared) count(await network.limiter(request), reply);
  };
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

function limitersOf(app: FastifyInstance, { most, windowMs, alsoByNetwork }: Limit, scale: number) {
  const limit = { max: Math.max(1, Math.round(most * scale)), timeWindow: windowMs };
  const person = (request: FastifyRequest) => `user ${request.actor?.id ?? ''}`;
  const network = (request: FastifyRequest) => `network ${networkOf(request.ip)}`;
  const wider = (request: FastifyRequest) => `network ${widerNetworkOf(request.ip)}`;
  const byNetwork = app.createRateLimit({ ...limit, keyGenerator: network });
  const byWiderNetwork = app.createRateLimit({
    ...limit,
    max: limit.max * WIDER_ALLOWANCE,
    keyGenerator: wider,
  });
  return {
    person: app.createRateLimit({ ...limit, keyGenerator: person }),
    network: {
      async limiter(request: FastifyRequest): ReturnType<Limiter> {
        const counted = await byNetwork(request);
        // A network past its own allowance takes nothing of its neighbours'.
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
  // Of two allowances the one that ends first is told.
  const told = Number(reply.getHeader('x-ratelimit-remaining') ?? counted.remaining);
  reply.header('x-ratelimit-remaining', String(Math.min(told, counted.remaining)));
  if (!counted.isExceeded) return;
  const resetAt = Math.ceil((Date.now() + counted.ttl) / SECOND);
  reply.header('x-ratelimit-reset', String(resetAt));
  throw tooManyAttempts(Math.max(1, counted.ttlInSeconds));
}

/**
 * The network that an address belongs to: itself for IPv4, its /64 for IPv6,
 * which is what one household gets. An IPv4 address in IPv6 clothes is IPv4.
 */
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

/**
 * The /48 that an IPv6 address belongs to, which a site or a small provider gets and which holds
 * 65,536 networks of one household; null for IPv4.
 */
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
