/**
 * `scope.serve(endpoint, handler)` registers an endpoint of the contract. Guards come from the scope,
 * validation and the reply's fields from the endpoint's schemas, so no route can forget them.
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
import type { IdempotentAnswer } from './idempotency.ts';
import { isSafe } from './stateful.ts';
import { FORM, prepare } from './validation.ts';
import type { Session } from '#platform/security/sessions.ts';

/** The validated parts of a request, and its caller. */
export interface Ask<E, A> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly actor: A;
  readonly origin: Origin;
  /** The Idempotency-Key where the endpoint takes one, else empty. */
  readonly idempotencyKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns the reply's body, an answer of `idempotent`, or the Fastify reply itself after sending a file or stream. */
export type Handler<E, A> = (
  ask: Ask<E, A>,
) => Promise<
  | ReplyOf<E>
  | IdempotentAnswer<ReplyOf<E>>
  | FastifyReply
  | (undefined extends ReplyOf<E> ? void : never)
>;

export type AnyEndpoint = Endpoint;

/** Answers a failed request; without one the answer is JSON. */
export type Failed = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

export interface Serve<A> {
  serve<E extends AnyEndpoint>(endpoint: E, handler: Handler<E, A>, failed?: Failed): void;
}

/** One for each scope. In `public` and `stateful` the actor may be a guest. */
export interface Ways {
  readonly public: Serve<Actor | null>;
  readonly stateful: Serve<Actor | null>;
  readonly member: Serve<Actor>;
  readonly admin: Serve<Actor>;
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
    /** The answer sets its cookies, unless the browser has them; null for none. */
    session: Session | null;
    /** The id of the session whose cookies the browser already has; null when the answer must set them. */
    held: string | null;
    /** Checks session and permission again, after a slow body. @throws {Refusal} 401, 403 */
    recheck: () => Promise<void>;
    /** The code of the refusal or defect; null for a success. */
    answerCode: string | null;
  }
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}

/** For the whole request, a slow body included. */
const HANDLER_TIMEOUT_MS = 15 * SECOND;
/** A proof of 5 MB over a telephone's poor connection. */
export const UPLOAD_TIMEOUT_MS = 2 * MINUTE;
export const JSON_LIMIT_BYTES = 256 * 1024;
/** A text of 200,000 characters, of four bytes each. */
const LONG_TEXT_LIMIT_BYTES = 1024 * 1024;
/** A proof of 5 MB with its envelope; a larger body is refused unread. */
export const UPLOAD_LIMIT_BYTES = 8 * 1024 * 1024;

/** For one scope, whose guards `instance` already has as hooks. */
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
        // After the scope's guards and before its throttle. With a callback, not async: see `app.ts`.
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
          return endpoint.idempotent && isIdempotent(answer)
            ? sendIdempotent(reply, answer)
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

/** A single route cannot turn the timeout off, so streams get none. */
function timeout({ streams, upload }: AnyEndpoint): { handlerTimeout?: number } {
  if (streams) return {};
  return { handlerTimeout: upload === undefined ? HANDLER_TIMEOUT_MS : UPLOAD_TIMEOUT_MS };
}

/** Collects the endpoints of all features, so that each scope's guards are added before its routes. */
export function collectWays() {
  const promised: AnyEndpoint[] = [];
  const collected: [Scope, (instance: FastifyInstance) => void][] = [];

  function collecting<A extends Actor | null>(scope: Scope): Serve<A> {
    return {
      serve(endpoint, handler, failed) {
        promised.push(endpoint);
        collected.push([
          scope,
          (instance) => wayInto<A>(instance, scope).serve(endpoint, handler, failed),
        ]);
      },
    };
  }

  const ways: Ways = {
    public: collecting('public'),
    stateful: collecting('stateful'),
    member: collecting('member'),
    admin: collecting('admin'),
  };
  return {
    ways,
    promised,
    into(scope: Scope, instance: FastifyInstance): void {
      for (const [of, register] of collected) if (of === scope) register(instance);
    },
  };
}

function finish(reply: FastifyReply, answer: unknown): unknown {
  // An awaited Fastify reply is undefined, also when the client has disconnected: nothing more may be sent.
  if (reply.sent) return reply;
  if (reply.raw.headersSent || reply.raw.destroyed) return reply.hijack();
  return answer === undefined ? reply.send() : answer;
}

function isIdempotent(answer: unknown): answer is IdempotentAnswer<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'replayed' in answer && 'status' in answer
  );
}

function sendIdempotent(
  reply: FastifyReply,
  { status, body, replayed }: IdempotentAnswer<unknown>,
): unknown {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return finish(reply.code(status), body);
}

/** One content type for each route: the caller must not choose the parser. */
function checkContentType(request: FastifyRequest, endpoint: AnyEndpoint): void {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const empty = length === '0' && chunked === undefined;
  if (empty && endpoint.upload === undefined && (!endpoint.body || type === '')) {
    // axios sends a form's type with an empty POST.
    delete request.raw.headers['content-type'];
    return;
  }
  if (endpoint.anyForm && (type === FORM || type === 'multipart/form-data')) return;
  const expected = endpoint.upload === undefined ? 'application/json' : 'multipart/form-data';
  if (type !== expected) throw unsupportedMediaType();
}

/**
 * Empty where the endpoint takes none, or an optional one is absent.
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
