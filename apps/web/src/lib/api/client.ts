/**
 * The only `fetch` of this application, except for pictures (lib/server/media-file.ts). `call`
 * calls the API from the browser; `locals.call` (lib/server/relay.ts) does so on the server,
 * through the internal address. Both are typed by the contract, handle the CSRF token and throw an
 * ApiError for every refusal.
 */
import {
  fillPath,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@cambist/contract/endpoint';
import type { Conflict, ErrorBody, RateChange } from '@cambist/contract/wire';
import { API_URL } from '$app/env/public';
import { userHeader } from './page-user.ts';

/** A refusal as plain data, which a form action can return. */
export interface Failure {
  /** The HTTP status; 0 without an answer. */
  status: number;
  code: string;
  message: string;
  errors: Record<string, string[]>;
  request_id: string | null;
  /** Seconds until another attempt, from Retry-After. */
  retry_after?: number;
  /** At `rate_unconfirmed`: the change to confirm. */
  rate_change?: RateChange;
  /** At `version_conflict`: who saved the record meanwhile. */
  conflict?: Conflict;
}

/** A refusal by the API, or no answer (`status` 0, code `unreachable` or `timeout`). */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
  }

  get status(): number {
    return this.failure.status;
  }

  get code(): string {
    return this.failure.code;
  }
}

type Given<K extends string, V> = [V] extends [undefined]
  ? { [P in K]?: undefined }
  : object extends V
    ? { [P in K]?: V }
    : { [P in K]: V };

/** The endpoint's `params`, `query` and `body`, and request options. */
export type Inputs<E> = Given<'params', ParamsOf<E>> &
  Given<'query', QueryOf<E>> &
  Given<'body', BodyOf<E>> &
  Around;

/** Request options. */
interface Around {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The known ETag; while it is current, an ApiError with status 304 is thrown. */
  known?: string | undefined;
  /** Receives the headers of the answer. */
  seen?: (headers: Headers) => void;
}

export type InputsArgument<E> =
  object extends Inputs<E> ? [inputs?: Inputs<E>] : [inputs: Inputs<E>];

/** How requests are sent: by the browser, or relayed by the server. */
export interface Transport {
  readonly origin: string;
  readonly timeoutMs: number;
  readonly init: RequestInit;
  /** Read for each request, since cookies may have changed. */
  headers(): Record<string, string>;
  /** The value of the XSRF-TOKEN cookie, URL-decoded; null without one. */
  token(): string | null;
  /** Receives every answer, to keep its cookies. */
  received(response: Response): void;
}

const csrfPath = '/stateful/csrf-cookie';

/** The value of a cookie in a `Cookie` header or `document.cookie`. */
export function cookieValue(cookies: string, name: string): string | null {
  for (const part of cookies.split(/;\s*/)) {
    if (part.startsWith(`${name}=`)) return decodeURIComponent(part.slice(name.length + 1));
  }
  return null;
}

const browser: Transport = {
  get origin() {
    return API_URL;
  },
  timeoutMs: 30_000,
  init: { credentials: 'include' },
  headers: () => ({}),
  token: () => cookieValue(document.cookie, 'XSRF-TOKEN'),
  received: () => undefined,
};

/**
 * Calls an endpoint from the browser.
 * @throws {ApiError} for every answer that is not a success
 */
export function call<E extends Endpoint>(
  endpoint: E,
  ...[inputs]: InputsArgument<E>
): Promise<ReplyOf<E>> {
  return request(browser, endpoint, inputs);
}

/**
 * Fetches a file that needs the session.
 * @throws {ApiError}
 */
export async function callFile<E extends Endpoint>(endpoint: E, inputs: Inputs<E>): Promise<Blob> {
  const init: RequestInit = { method: 'GET' };
  if (inputs.signal) init.signal = inputs.signal;
  const response = await send(browser, endpointUrl(endpoint, inputs), init);
  if (!response.ok) throw new ApiError(await readFailure(response));
  return response.blob();
}

/** Fetches a file of the build. */
export async function builtFile(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The URL of an endpoint with its parameters filled in. */
export function endpointUrl<E extends Endpoint>(
  endpoint: E,
  inputs: Inputs<E> | undefined,
  origin: string = API_URL,
): string {
  const params = (inputs?.params ?? {}) as Record<string, string>;
  const url = new URL(fillPath(endpoint.path, params), origin);
  for (const [name, value] of Object.entries((inputs?.query ?? {}) as Record<string, unknown>)) {
    // PostgreSQL cannot store NUL.
    const text = String(value ?? '').replaceAll('\0', '');
    if (text !== '') url.searchParams.set(name, text);
  }
  return url.href;
}

/** The CSRF token for requests outside `call`, such as uploads. */
export async function csrfToken(): Promise<string> {
  return browser.token() ?? (await renewToken(browser));
}

async function renewToken(transport: Transport): Promise<string> {
  await send(transport, new URL(csrfPath, transport.origin).href, { method: 'GET' });
  return transport.token() ?? '';
}

/** Sends, and after 419 once more with a new token, since a token ends with its session. */
export async function withTokenRenewal<Answer extends { readonly status: number }>(
  endpoint: Endpoint,
  attempt: (user: Record<string, string>) => Promise<Answer>,
  transport = browser,
): Promise<Answer> {
  // Taken once: the page may show another user by the second attempt.
  const user = isGuarded(endpoint) ? userHeader() : {};
  const answer = await attempt(user);
  if (answer.status !== 419 || !isGuarded(endpoint)) return answer;
  await renewToken(transport);
  return attempt(user);
}

function isGuarded({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): boolean {
  return method !== 'GET' && scope !== 'public';
}

export async function request<E extends Endpoint>(
  transport: Transport,
  endpoint: E,
  inputs: Inputs<E> | undefined,
): Promise<ReplyOf<E>> {
  const url = endpointUrl(endpoint, inputs, transport.origin);
  const attempt = async (user: Record<string, string>): Promise<Response> => {
    const headers = { ...user };
    if (isGuarded(endpoint))
      headers['X-XSRF-TOKEN'] = transport.token() ?? (await renewToken(transport));
    if (inputs?.known !== undefined) headers['If-None-Match'] = inputs.known;
    if (inputs?.idempotencyKey) headers['Idempotency-Key'] = inputs.idempotencyKey;
    const init: RequestInit = { method: endpoint.method, headers };
    if (inputs?.body !== undefined) {
      headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(inputs.body);
    }
    if (inputs?.signal) init.signal = inputs.signal;
    return send(transport, url, init);
  };

  const response = await withTokenRenewal(endpoint, attempt, transport);
  if (!response.ok) throw new ApiError(await readFailure(response));
  inputs?.seen?.(response.headers);
  // 204 and 202 have no body.
  const body = await response.text();
  return (body === '' ? undefined : JSON.parse(body)) as ReplyOf<E>;
}

async function send(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(transport.timeoutMs);
  try {
    const response = await fetch(url, {
      ...transport.init,
      ...init,
      headers: { Accept: 'application/json', ...transport.headers(), ...(init.headers as object) },
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    });
    transport.received(response);
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError({
      status: 0,
      code: timeout.aborted ? 'timeout' : 'unreachable',
      message: 'The service could not be reached.',
      errors: {},
      request_id: null,
    });
  }
}

async function readFailure(response: Response): Promise<Failure> {
  const body = await response.json().then(
    (value: Partial<ErrorBody> | null) => value ?? {},
    () => ({}) as Partial<ErrorBody>,
  );
  const failure = failureFrom(response.status, body, response.headers.get('X-Request-Id'));
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? { ...failure, retry_after: seconds } : failure;
}

/** Reads the body of a refusal, which a proxy may have written. */
export function failureFrom(
  status: number,
  body: Partial<ErrorBody>,
  requestId: string | null,
): Failure {
  return {
    status,
    code: body.code ?? `http_${status}`,
    message: body.message ?? 'The service answered with an error.',
    errors: body.errors ?? {},
    request_id: requestId,
    ...(body.rate_change ? { rate_change: body.rate_change } : {}),
    ...(body.conflict ? { conflict: body.conflict } : {}),
  };
}
