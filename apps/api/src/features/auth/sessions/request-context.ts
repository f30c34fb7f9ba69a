/** What account operations need to know of the request that asks for them. */
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Session } from '#platform/security/sessions.ts';

export interface RequestContext {
  readonly origin: Origin;
  readonly userAgent: string;
  readonly cookieHeader: string | undefined;
  readonly session: Session;
}

/** The request of a signed-in user. */
export interface MemberContext extends RequestContext {
  readonly actor: Actor;
}

export function contextOf(request: FastifyRequest): RequestContext {
  const { session } = request;
  if (session === null) throw new Error('The request has no session: its scope sets none.');
  return {
    origin: { ip: request.ip, requestId: request.id },
    userAgent: request.headers['user-agent'] ?? '',
    cookieHeader: request.headers.cookie,
    session,
  };
}

export function memberContextOf({
  actor,
  request,
}: {
  readonly actor: Actor;
  readonly request: FastifyRequest;
}): MemberContext {
  return { ...contextOf(request), actor };
}
