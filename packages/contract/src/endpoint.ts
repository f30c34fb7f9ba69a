/**
 * An endpoint is the promise between the two applications: where to ask, what
 * goes in, what comes out, who may ask and which refusals to expect. The API
 * validates, guards and serialises from it; the frontend's `api.ts` takes its
 * types from it; OpenAPI is made from it. Nothing is promised anywhere else.
 */
import type { Static, TSchema } from 'typebox';

/**
 * Who may call. `public`: anyone, no CSRF token. `stateful`: anyone with a
 * session cookie and its CSRF token (sign-in and its kin). `member`: signed in.
 * `admin`: signed in with `role = admin`.
 */
export type Scope = 'public' | 'stateful' | 'member' | 'admin';

/** What an admin may be allowed. An admin without the one that a route names gets 403. */
export const permissions = ['desk', 'money', 'content', 'users', 'settings'] as const;
export type Permission = (typeof permissions)[number];

/** Another permission for each value of a path's parameter. */
export interface PermissionByParam {
  readonly param: string;
  readonly of: Readonly<Record<string, Permission>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Names of the throttles; the numbers stand in the API's `throttles.ts`. */
export type Throttle =
  | 'read'
  | 'file'
  | 'write'
  | 'quote'
  | 'signin'
  | 'signup'
  | 'upload'
  | 'report'
  | 'email'
  | 'run'
  | 'factors'
  | 'policy';

export interface Endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  readonly method: Method;
  /** With `{name}` for each path parameter, as in OpenAPI. */
  readonly path: string;
  readonly scope: Scope;
  /** What an admin must be allowed to call it; each admin endpoint names one. */
  readonly permission?: Permission | PermissionByParam;
  /** Only within ten minutes of a sign-in or a fresh confirmation; else 403 `confirmation_required`. */
  readonly fresh?: true;
  readonly throttle: Throttle;
  /** One sentence for the API's page. */
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the success body; what it does not name is not sent. */
  readonly reply?: Reply;
  /** The success status; 204 needs no reply schema. */
  readonly status: number;
  /** Codes of the refusals by business rule that a caller should handle. */
  readonly refusals?: readonly string[];
  /** Takes an `Idempotency-Key`; missing is 422, unless it is only heeded where it is sent. */
  readonly idempotent?: true | 'where_sent';
  /** The body is `multipart/form-data` with this one file field. */
  readonly upload?: string;
  /** The body holds a text as long as an article, in any script: up to 1 MiB of JSON. */
  readonly longText?: true;
  /** Its own check tells of characters that cannot be kept, beside all else that is wrong in the body. */
  readonly checksText?: true;
  /** Also takes a form, whatever is in it, and reads nothing of it: mail programs post one (RFC 8058). */
  readonly anyForm?: true;
  /** The answer goes on for as long as the caller listens; no time-out ends it. */
  readonly streams?: true;
  /** Public, yet a step of somebody in the middle of something: overload does not refuse it. */
  readonly vital?: true;
}

/**
 * A write may name in this header, by id, the user its page shows as signed in. Where another user has
 * signed in in this browser since, the write is refused with 409 and this code.
 */
export const personHeader = 'X-Signed-In-As';
export const anotherPerson = 'signed_in_as_another';

/** Declares an endpoint and keeps its exact types. */
export function endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
>(promise: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return promise;
}

type Part<S> = S extends TSchema ? (TSchema extends S ? undefined : Static<S>) : undefined;

export type ParamsOf<E> = E extends Endpoint<infer P, TSchema, TSchema, TSchema> ? Part<P> : never;
export type QueryOf<E> = E extends Endpoint<TSchema, infer Q, TSchema, TSchema> ? Part<Q> : never;
export type BodyOf<E> = E extends Endpoint<TSchema, TSchema, infer B, TSchema> ? Part<B> : never;
export type ReplyOf<E> = E extends Endpoint<TSchema, TSchema, TSchema, infer R> ? Part<R> : never;

/** Any one of these opens the endpoint; what its path names that does not exist is no secret to their holders. */
export function permissionsFor(
  { permission }: Pick<Endpoint, 'permission'>,
  params: Readonly<Record<string, unknown>> = {},
): readonly Permission[] {
  if (permission === undefined) return [];
  if (typeof permission === 'string') return [permission];
  const { param, of } = permission;
  const named = String(params[param]);
  const own = Object.hasOwn(of, named) ? of[named] : undefined;
  return own === undefined ? [...new Set(Object.values(of))] : [own];
}

/** Fills a path's `{name}` places, each encoded as one path segment. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs "${name}".`);
    return encodeURIComponent(value);
  });
}
