/**
 * CORS (specification, section 5) for exactly the configured origins, with credentials. The headers are set
 * before anything can fail, so that scripts can read every error.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotency-Replayed',
  'ETag',
  'Content-Disposition',
].join(', ');
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Chromium's maximum. */
const PREFLIGHT_MAX_AGE_SECONDS = '7200';

/** Sets the headers; returns true for a preflight, which needs no further handling. */
export function applyCors(
  { corsAllowedOrigins }: Pick<Config, 'corsAllowedOrigins'>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers;
  const preflight =
    request.method === 'OPTIONS' &&
    origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined;
  reply.header('vary', 'Origin');
  if (origin !== undefined && corsAllowedOrigins.includes(origin)) {
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', EXPOSED);
    if (preflight) {
      reply
        .header('access-control-allow-methods', METHODS)
        // Any that a trusted frontend sends: tracing headers differ from client to client.
        .header(
          'access-control-allow-headers',
          request.headers['access-control-request-headers'] ?? 'Content-Type, X-XSRF-TOKEN',
        )
        .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
    }
  }
  return preflight;
}
