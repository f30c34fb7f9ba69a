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

/** The headers of an answer to a script of this origin; none where it may not read it. */
export function originHeaders(
  { corsAllowedOrigins }: Pick<Config, 'corsAllowedOrigins'>,
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined || !corsAllowedOrigins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  };
}

/** Sets the headers; returns true for a preflight, which needs no further handling. */
export function applyCors(
  config: Pick<Config, 'corsAllowedOrigins'>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers;
  const preflight =
    request.method === 'OPTIONS' &&
    origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined;
  const headers = originHeaders(config, origin);
  reply.header('vary', 'Origin').headers(headers);
  if (preflight && 'access-control-allow-origin' in headers) {
    reply
      .header('access-control-allow-methods', METHODS)
      // Any that a trusted frontend sends: tracing headers differ from client to client.
      .header(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? 'Content-Type, X-XSRF-TOKEN',
      )
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
  }
  return preflight;
}
