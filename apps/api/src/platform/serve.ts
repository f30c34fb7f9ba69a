/**
 * The way in: `scope.serve(endpoint, handler)` registers one promise of the
 * contract. Guards come from the scope, validation and the reply's field list
 * from the endpoint's schemas, so no route can forget them.
 */
import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ReplyOf,
  Scope,
} from '@cambist/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Origin } from '#kernel/actor.ts';

/** What a handler is asked: validated parts, and who asks. */
export interface Ask<E, A> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly actor: A;
  readonly origin: Origin;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns the reply's body, or the Fastify reply itself when the handler has
 * sent something that is not JSON (a file, a stream).
 */
export type Handler<E, A> = (ask: Ask<E, A>) => Promise<ReplyOf<E> | FastifyReply>;

export type AnyEndpoint = Endpoint;

export interface Serve<A> {
  serve<E extends AnyEndpoint>(endpoint: E, handler: Handler<E, A>): void;
}

/** The scopes' ways in. In `public` and `stateful` the actor may be a guest. */
export interface Ways {
  readonly public: Serve<Actor | null>;
  readonly stateful: Serve<Actor | null>;
  readonly member: Serve<Actor>;
  readonly admin: Serve<Actor>;
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}

/** The way into one scope, whose guards `instance` already carries as hooks. */
export function wayInto<A extends Actor | null>(instance: FastifyInstance, scope: Scope): Serve<A> {
  return {
    serve(endpoint, handler) {
      if (endpoint.scope !== scope) {
        throw new Error(`${endpoint.method} ${endpoint.path} belongs to ${endpoint.scope}, not ${scope}.`);
      }
      instance.route({
        method: endpoint.method,
        url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
        config: { endpoint },
        schema: {
          ...(endpoint.params ? { params: endpoint.params } : {}),
          ...(endpoint.query ? { querystring: endpoint.query } : {}),
          ...(endpoint.body ? { body: endpoint.body } : {}),
          ...(endpoint.reply ? { response: { [endpoint.status]: endpoint.reply } } : {}),
        },
        handler: async (request, reply) => {
          reply.code(endpoint.status);
          const answer = await handler({
            params: request.params as ParamsOf<typeof endpoint>,
            query: request.query as QueryOf<typeof endpoint>,
            body: request.body as BodyOf<typeof endpoint>,
            actor: request.actor as A,
            origin: { ip: request.ip, requestId: request.id },
            request,
            reply,
          });
          return answer === undefined ? reply.send() : answer;
        },
      });
    },
  };
}
