/** What a request tells of the browser that sent it. */
import type { FastifyRequest } from 'fastify';
import type { Visit } from './member-sessions.ts';

export function visitOf(request: FastifyRequest): Visit {
  return {
    origin: { ip: request.ip, requestId: request.id },
    userAgent: request.headers['user-agent'] ?? '',
    session: request.session,
  };
}
