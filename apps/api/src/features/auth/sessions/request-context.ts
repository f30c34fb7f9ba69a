/** What a request tells of the browser that sent it, and of the person who is signed in there. */
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '#kernel/actor.ts';
import { sessionOfMember, type Visit } from './member-sessions.ts';
import type { Owner } from '../second-factor/second-factor.ts';

export function visitOf(request: FastifyRequest): Visit {
  return {
    origin: { ip: request.ip, requestId: request.id },
    userAgent: request.headers['user-agent'] ?? '',
    cookieHeader: request.headers.cookie,
    session: request.session,
  };
}

interface Asked {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly request: FastifyRequest;
}

export function ownerOf({ actor, origin, request }: Asked): Owner {
  return { actor, origin, session: sessionOfMember(request) };
}
