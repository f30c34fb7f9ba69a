/**
 * An endpoint is the contract between the two applications: address, input, output, callers and refusals. The API
 * validates, guards and serializes by it, the frontend's `api.ts` takes its types from it, and OpenAPI is
 * generated from it.
 */
import type { Static, TSchema } from 'typebox';

/**
 * Who may call. `public`: anyone, without CSRF token. `stateful`: anyone with a session cookie and its CSRF token,
 * such as sign-in. `member`: signed in. `admin`: signed in with `role = admin`.
 */
export type Scope = 'public' | 'stateful' | 'member' | 'admin';

/** Permissions of admins. An admin without that of a route gets 403. */
export const permissions = ['desk', 'money', 'content', 'users', 'settings'] as const;
export type Permission = (typeof permissions)[number];

/** A permission for each value of a path parameter. */
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

/** As written; the success status is 200 where none is named. */
interface Declaration<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  readonly method: Method;
  /** With `{name}` for each path parameter, as in OpenAPI. */
  readonly path: string;
  readonly scope: Scope;
  /** The permission an admin needs; each admin endpoint names one. */
  readonly permission?: Permission | PermissionByParam;
  /** Only within ten minutes of a sign-in or a fresh confirmation; else 403 `confirmation_required`. */
  readonly fresh?: true;
  readonly throttle: Throttle;
  /** One sentence for the documentation. */
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the success body; other fields are not sent. */
  readonly reply?: Reply;
  /** 204 needs no reply schema. */
  readonly status?: number;
  /** Codes of the refusals by business rule that a caller should handle. */
  readonly refusals?: readonly string[];
  /** Takes an `Idempotency-Key`; a missing one is 422, except for `where_sent`. */
  readonly idempotent?: true | 'where_sent';
  /** The body is `multipart/form-data` with this one file field. */
  readonly upload?: string;
  /** The body can contain an article: up to 1 MiB of JSON. */
  readonly longText?: true;
  /** The handler itself reports characters that cannot be stored, with all other errors of the body. */
  readonly checksText?: true;
  /** Also accepts any form, unread: mail programs post one (RFC 8058). */
  readonly anyForm?: true;
  /** The answer is an endless stream, without a time-out. */
  readonly streams?: true;
  /** Public, but not refused under overload: the caller is in the middle of a flow. */
  readonly vital?: true;
}

export interface Endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> extends Declaration<Params, Query, Body, Reply> {
  readonly status: number;
}

/**
 * A write may name in this header, by id, the user its page shows as signed in. If another user has signed in in this
 * browser since, the write is refused with 409 and this code.
 */
export const personHeader = 'X-Signed-In-As';
export const anotherPerson = 'signed_in_as_another';

/** Declares an endpoint and keeps its exact types. */
export function endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
>(promise: Declaration<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return { status: 200, ...promise };
}

const read = { method: 'GET', throttle: 'read' } as const;
const write = { method: 'POST', throttle: 'write' } as const;

/** Who may read or write, to be spread into an endpoint before what is particular of it. */
export const publicReads = { ...read, scope: 'public' } as const;
export const publicWrites = { ...write, scope: 'public' } as const;
export const statefulWrites = { ...write, scope: 'stateful' } as const;
export const memberReads = { ...read, scope: 'member' } as const;
export const memberWrites = { ...write, scope: 'member' } as const;
type Needed = Permission | PermissionByParam;
export const adminReads = (permission: Needed) =>
  ({ ...read, scope: 'admin', permission }) as const;
export const adminWrites = (permission: Needed) =>
  ({ ...write, scope: 'admin', permission }) as const;

type Part<S> = S extends TSchema ? (TSchema extends S ? undefined : Static<S>) : undefined;

export type ParamsOf<E> = E extends Endpoint<infer P, TSchema, TSchema, TSchema> ? Part<P> : never;
export type QueryOf<E> = E extends Endpoint<TSchema, infer Q, TSchema, TSchema> ? Part<Q> : never;
export type BodyOf<E> = E extends Endpoint<TSchema, TSchema, infer B, TSchema> ? Part<B> : never;
export type ReplyOf<E> = E extends Endpoint<TSchema, TSchema, TSchema, infer R> ? Part<R> : never;

/** Any one of these permissions is enough. */
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

/** Replaces `{name}` in a path by encoded values. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs "${name}".`);
    return encodeURIComponent(value);
  });
}
