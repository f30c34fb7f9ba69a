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
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { invalid } from '#kernel/refusal.ts';
import { unsupportedMediaType } from './errors.ts';
import { isSafe } from './stateful.ts';
import { FORM, prepare } from './validation.ts';
import type { Session } from '#platform/security/sessions.ts';

/** What a handler is asked: validated parts, and who asks. */
export interface Ask<E, A> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly actor: A;
  readonly origin: Origin;
  /** The caller's Idempotency-Key where the endpoint takes one, else empty. */
  readonly idempotencyKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An answer of `idempotent`: perhaps one that was given before, a stored refusal included. */
export interface KeptAnswer<T> {
  readonly status: number;
  readonly body: T;
  readonly replayed: boolean;
}

/**
 * Returns the reply's body, what `idempotent` answered, or the Fastify reply
 * itself when the handler has sent something that is not JSON (a file, a stream).
 */
export type Handler<E, A> = (
  ask: Ask<E, A>,
) => Promise<
  ReplyOf<E> | KeptAnswer<ReplyOf<E>> | FastifyReply | (undefined extends ReplyOf<E> ? void : never)
>;

export type AnyEndpoint = Endpoint;

/** Answers a request that failed; without one the answer is JSON. */
export type Failed = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

export interface Serve<A> {
  serve<E extends AnyEndpoint>(endpoint: E, handler: Handler<E, A>, failed?: Failed): void;
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
    /** The session whose cookies the answer carries; null where none are sent. */
    session: Session | null;
    /** The id of the session whose two cookies the browser has sent; null where it is to be given them. */
    held: string | null;
    /**
     * Looks again whether its person may do this: a body may come slowly, and they be gone by then.
     * @throws {Refusal} 401, 403
     */
    recheck: () => Promise<void>;
  }
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}

/** From the request's first line to the answer's end, a slow body included. */
const HANDLER_TIMEOUT_MS = 15 * SECOND;
/** A proof of 5 MB over a telephone's poor connection. */
export const UPLOAD_TIMEOUT_MS = 2 * MINUTE;
export const JSON_LIMIT_BYTES = 256 * 1024;
/** A text of 200,000 characters, of four bytes each. */
const LONG_TEXT_LIMIT_BYTES = 1024 * 1024;
/** The proof's 5 MB and its envelope; more is not even looked at. */
export const UPLOAD_LIMIT_BYTES = 8 * 1024 * 1024;

/** The way into one scope, whose guards `instance` already carries as hooks. */
function wayInto<A extends Actor | null>(instance: FastifyInstance, scope: Scope): Serve<A> {
  return {
    serve(endpoint, handler, failed) {
      if (endpoint.scope !== scope) {
        throw new Error(
          `${endpoint.method} ${endpoint.path} belongs to ${endpoint.scope}, not ${scope}.`,
        );
      }
      if ((scope === 'admin') !== (endpoint.permission !== undefined)) {
        throw new Error(`${endpoint.method} ${endpoint.path}: admin routes name a permission.`);
      }
      instance.route({
        method: endpoint.method,
        url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
        config: { endpoint },
        bodyLimit: bodyLimit(endpoint),
        ...timeout(endpoint),
        ...(failed ? { errorHandler: failed } : {}),
        schema: {
          ...(endpoint.params ? { params: endpoint.params } : {}),
          ...(endpoint.query ? { querystring: endpoint.query } : {}),
          ...(endpoint.body ? { body: endpoint.body } : {}),
          ...(endpoint.reply ? { response: { [endpoint.status]: endpoint.reply } } : {}),
        },
        // After the scope's guards and before its throttle. What is only read has no content type
        // to check. Called back, not async: see `app.ts`.
        ...(isSafe(endpoint.method)
          ? {}
          : {
              onRequest: (request, _reply, next) => {
                checkContentType(request, endpoint);
                next();
              },
            }),
        preValidation: (request, _reply, next) => {
          prepare(request);
          readIdempotencyKey(endpoint, request);
          next();
        },
        handler: async (request, reply) => {
          reply.code(endpoint.status);
          const answer = await handler({
            params: request.params as ParamsOf<typeof endpoint>,
            query: request.query as QueryOf<typeof endpoint>,
            body: request.body as BodyOf<typeof endpoint>,
            actor: request.actor as A,
            origin: { ip: request.ip, requestId: request.id },
            idempotencyKey: readIdempotencyKey(endpoint, request),
            request,
            reply,
          });
          return endpoint.idempotent && isKept(answer)
            ? sendKept(reply, answer)
            : finish(reply, answer);
        },
      });
    },
  };
}

function bodyLimit({ upload, longText }: AnyEndpoint): number {
  if (upload !== undefined) return UPLOAD_LIMIT_BYTES;
  return longText ? LONG_TEXT_LIMIT_BYTES : JSON_LIMIT_BYTES;
}

/** Fastify knows no "never" for a single route, so open-ended answers get none at all. */
function timeout({ streams, upload }: AnyEndpoint): { handlerTimeout?: number } {
  if (streams) return {};
  return { handlerTimeout: upload === undefined ? HANDLER_TIMEOUT_MS : UPLOAD_TIMEOUT_MS };
}

/**
 * Ways that only note what features promise, so that each scope can be built
 * with its guards before its routes. `into` registers one scope's promises.
 */
export function collectWays() {
  const promised: AnyEndpoint[] = [];
  const noted: [Scope, (instance: FastifyInstance) => void][] = [];

  function noting<A extends Actor | null>(scope: Scope): Serve<A> {
    return {
      serve(endpoint, handler, failed) {
        promised.push(endpoint);
        noted.push([
          scope,
          (instance) => wayInto<A>(instance, scope).serve(endpoint, handler, failed),
        ]);
      },
    };
  }

  const ways: Ways = {
    public: noting('public'),
    stateful: noting('stateful'),
    member: noting('member'),
    admin: noting('admin'),
  };
  return {
    ways,
    promised,
    into(scope: Scope, instance: FastifyInstance): void {
      for (const [of, register] of noted) if (of === scope) register(instance);
    },
  };
}

function finish(reply: FastifyReply, answer: unknown): unknown {
  // A Fastify reply is a thenable: awaited, what was sent comes back as undefined, also when its
  // reader has left in the middle. Nothing may be answered again then.
  if (reply.sent) return reply;
  if (reply.raw.headersSent || reply.raw.destroyed) return reply.hijack();
  return answer === undefined ? reply.send() : answer;
}

function isKept(answer: unknown): answer is KeptAnswer<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'replayed' in answer && 'status' in answer
  );
}

function sendKept(reply: FastifyReply, { status, body, replayed }: KeptAnswer<unknown>): unknown {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return finish(reply.code(status), body);
}

/** One content type for each route, so that no parser is chosen by the caller. */
function checkContentType(request: FastifyRequest, endpoint: AnyEndpoint): void {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const empty = length === '0' && chunked === undefined;
  if (empty && endpoint.upload === undefined && (!endpoint.body || type === '')) {
    // axios names a form's type for a post of nothing; there is nothing to be read by it.
    delete request.raw.headers['content-type'];
    return;
  }
  if (endpoint.anyForm && (type === FORM || type === 'multipart/form-data')) return;
  const expected = endpoint.upload === undefined ? 'application/json' : 'multipart/form-data';
  if (type !== expected) throw unsupportedMediaType();
}

/**
 * Empty where the endpoint takes none, or needs none and was sent none.
 * @throws {Refusal} 422 without one to 255 visible ASCII characters.
 */
function readIdempotencyKey({ idempotent }: AnyEndpoint, request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (!idempotent || (idempotent === 'where_sent' && key === undefined)) return '';
  if (typeof key !== 'string' || key === '') {
    throw invalid({ idempotency_key: 'The Idempotency-Key header is required.' });
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid({
      idempotency_key: 'The Idempotency-Key header must be 1 to 255 visible characters.',
    });
  }
  return key;
}
