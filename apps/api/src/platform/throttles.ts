/**
 * How often one caller may ask: by person when signed in, else by network. The
 * numbers stand here once; THROTTLE_SCALE multiplies them all, and 0 switches
 * them off. Counted last, after 419, 401, 403, 415 and 422, in fixed windows.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Throttle } from '@cambist/contract/endpoint';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';

/** Requests a minute. */
export const throttles: Readonly<Record<Throttle, number>> = {
  read: 600,
  write: 120,
  quote: 240,
  signin: 30,
  signup: 20,
  upload: 30,
  report: 5,
  letter: 6,
};

export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  return new Refusal(429, 'too_many_attempts', 'Too Many Attempts.', { retryAfterSeconds });
}

/** The hook that counts a request against its endpoint's throttle; null where they are off. Needs @fastify/rate-limit. */
export function openThrottles(app: FastifyInstance, scale: number) {
  if (scale === 0) return null;
  const limiters = Object.fromEntries(
    Object.entries(throttles).map(([name, perMinute]) => [
      name,
      app.createRateLimit({
        max: Math.max(1, Math.round(perMinute * scale)),
        timeWindow: MINUTE,
        keyGenerator: callerKey,
      }),
    ]),
  );

  return async function throttle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limiter = limiters[request.routeOptions.config.endpoint?.throttle ?? ''];
    const count = await limiter?.(request);
    if (count === undefined || count.isAllowed) return;
    reply.header('x-ratelimit-limit', String(count.max));
    reply.header('x-ratelimit-remaining', String(count.remaining));
    if (!count.isExceeded) return;
    const retryAfterSeconds = Math.max(1, count.ttlInSeconds);
    const resetAt = Math.ceil((Date.now() + count.ttl) / SECOND);
    reply.header('x-ratelimit-reset', String(resetAt));
    throw tooManyAttempts(retryAfterSeconds);
  };
}

function callerKey(request: FastifyRequest): string {
  return request.actor ? `user ${request.actor.id}` : `network ${networkOf(request.ip)}`;
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

/** The eight groups of an address in its canonical, shortened form. */
function sixteenBitGroups(canonical: string): number[] {
  const [head = '', tail] = canonical.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => 0), ...after];
}
