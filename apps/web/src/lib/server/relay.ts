/**
 * Calls the API from this server as the visitor, through the internal address: with their cookies
 * and client address, this site's origin and the request id. It returns the cookies of successful
 * calls, so that pages and forms work before script has loaded.
 */
import { redirect, type RequestEvent } from '@sveltejs/kit';
import type { Endpoint, ReplyOf } from '@cambist/contract/endpoint';
import { API_INTERNAL_URL, ORIGIN } from '$app/env/private';
import {
  ApiError,
  cookieValue,
  request,
  type InputsArgument,
  type Transport,
} from '#lib/api/client.ts';
import { signInFrom } from '#lib/account/next-path.ts';

/** It comes from the same machine. */
const UNCOMPRESSED = { 'Accept-Encoding': 'identity' };

export type ServerCall = <E extends Endpoint>(
  endpoint: E,
  ...inputs: InputsArgument<E>
) => Promise<ReplyOf<E>>;

export interface Relay {
  call: ServerCall;
  /** Whether the visitor sent session cookies, or one of them. */
  hasSession: boolean;
  /** Whether all that was read is public and announces its changes, as answers with an ETag do. */
  isShared(): boolean;
  /**
   * Copies the cookies of successful calls onto the answer, but not those of failures and token
   * requests: the visitor may have signed in in another tab meanwhile.
   */
  handBack(headers: Headers): void;
}

/** Whether there are session cookies, or one of them. */
export function hasSessionCookie(cookies: string): boolean {
  return /(^|;\s*)(XSRF-TOKEN|[^=;]*cambist_session)=/.test(cookies);
}

export function createRelay(event: RequestEvent, requestId: string): Relay {
  const jar = new Map<string, string>();
  const cookies = new Map<string, string>();
  let isShared = true;
  for (const part of (event.request.headers.get('cookie') ?? '').split(/;\s*/)) {
    const at = part.indexOf('=');
    if (at > 0) jar.set(part.slice(0, at), part.slice(at + 1));
  }
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const hasSession = hasSessionCookie(cookieHeader());

  const transport: Transport = {
    origin: API_INTERNAL_URL,
    timeoutMs: 10_000,
    init: { redirect: 'manual' },
    headers: () => ({
      ...UNCOMPRESSED,
      ...relayedHeaders(event, requestId),
      ...(jar.size > 0 ? { Cookie: cookieHeader() } : {}),
    }),
    token: () => cookieValue(cookieHeader(), 'XSRF-TOKEN'),
    received: ({ headers }) => {
      for (const { name, value, line } of cookiesOf(headers)) {
        if (/;\s*max-age=0\b/i.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
    },
  };

  return {
    hasSession,
    isShared: () => isShared,
    call: async (endpoint, ...[inputs]) => {
      let hasTag = false;
      const seen = (headers: Headers) => {
        hasTag = headers.has('etag') && endpoint.scope === 'public';
        if (!isAskedOfAGuest(endpoint))
          for (const { name, line } of cookiesOf(headers)) cookies.set(name, line);
        inputs?.seen?.(headers);
      };
      try {
        return await request(transport, endpoint, { ...inputs, seen } as typeof inputs);
      } finally {
        isShared &&= hasTag;
      }
    },
    handBack: (headers) => {
      for (const line of cookies.values()) headers.append('set-cookie', line);
    },
  };
}

function* cookiesOf(headers: Headers) {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) yield { name, value, line };
  }
}

/** Public endpoints, and reads that guests may make, need no lasting session. */
function isAskedOfAGuest({ method, scope }: Endpoint): boolean {
  return scope === 'public' || (scope === 'stateful' && method === 'GET');
}

const ownTransport: Transport = {
  origin: API_INTERNAL_URL,
  timeoutMs: 10_000,
  init: { redirect: 'manual' },
  headers: () => UNCOMPRESSED,
  token: () => null,
  received: () => undefined,
};

/**
 * A call of the site itself, for data that all visitors share. Without a visitor's cookies and
 * address the API counts it against this server's rate limit.
 */
export const ownCall: ServerCall = (endpoint, ...[inputs]) =>
  request(ownTransport, endpoint, inputs);

/** Redirects to sign-in and back when the session has ended. */
export function signInWhenLost(call: ServerCall, event: RequestEvent): ServerCall {
  return async (endpoint, ...inputs) => {
    try {
      return await call(endpoint, ...inputs);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) redirect(303, signInFrom(event));
      throw error;
    }
  };
}

/** The API only trusts this header from its known proxies. */
function forwardedFor({ request, getClientAddress }: RequestEvent): string {
  const named = request.headers.get('x-forwarded-for');
  return named === null ? getClientAddress() : `${named}, ${getClientAddress()}`;
}

/** The headers of the visitor, except for cookies. */
export function relayedHeaders(event: RequestEvent, requestId: string): Record<string, string> {
  const { headers } = event.request;
  const relayed: Record<string, string> = {
    Origin: ORIGIN,
    Referer: ORIGIN + event.url.pathname,
    'X-Forwarded-For': forwardedFor(event),
    'X-Request-Id': requestId,
  };
  for (const name of ['user-agent', 'accept-language']) {
    const value = headers.get(name);
    if (value) relayed[name] = value;
  }
  return relayed;
}
