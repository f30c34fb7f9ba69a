/**
 * The server's way to the API: through the internal address, as the visitor.
 * It sends the visitor's cookies, this site's origin, the client's address and
 * the request id, and hands back the cookies that come with what it granted, so that
 * pages and forms work the same before any script has loaded.
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

export type ServerCall = <E extends Endpoint>(
  endpoint: E,
  ...inputs: InputsArgument<E>
) => Promise<ReplyOf<E>>;

export interface Relay {
  call: ServerCall;
  /** Whether the visitor sent a session's cookies, or what is left of them. */
  hasSession: boolean;
  /**
   * Copies onto the answer to the visitor the cookies of calls that succeeded, but not what a refusal gave,
   * or was fetched for a form's token: another tab may have signed in meanwhile.
   */
  handBack(headers: Headers): void;
}

/** Builds the relay of one request. */
export function createRelay(event: RequestEvent, requestId: string): Relay {
  const jar = new Map<string, string>();
  const kept = new Map<string, string>();
  for (const part of (event.request.headers.get('cookie') ?? '').split(/;\s*/)) {
    const at = part.indexOf('=');
    if (at > 0) jar.set(part.slice(0, at), part.slice(at + 1));
  }
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const hasSession = [...jar.keys()].some((name) => /^XSRF-TOKEN$|cambist_session$/.test(name));

  const transport: Transport = {
    origin: API_INTERNAL_URL,
    timeoutMs: 10_000,
    init: { redirect: 'manual' },
    headers: () => ({
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
    call: (endpoint, ...[inputs]) => {
      const seen = (headers: Headers) => {
        if (!isAskedOfAGuest(endpoint))
          for (const { name, line } of cookiesOf(headers)) kept.set(name, line);
        inputs?.seen?.(headers);
      };
      return request(transport, endpoint, { ...inputs, seen } as typeof inputs);
    },
    handBack: (headers) => {
      for (const line of kept.values()) headers.append('set-cookie', line);
    },
  };
}

function* cookiesOf(headers: Headers) {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) yield { name, value, line };
  }
}

/** What is public, and a read that a guest may ask, needs no session that lasts. */
function isAskedOfAGuest({ method, scope }: Endpoint): boolean {
  return scope === 'public' || (scope === 'stateful' && method === 'GET');
}

const ownTransport: Transport = {
  origin: API_INTERNAL_URL,
  timeoutMs: 10_000,
  init: { redirect: 'manual' },
  headers: () => ({}),
  token: () => null,
  received: () => undefined,
};

/**
 * In this site's own name, for what all visitors share: without the cookies and the address of
 * whoever happens to come, the API counts it for this server and not for them.
 */
export const ownCall: ServerCall = (endpoint, ...[inputs]) =>
  request(ownTransport, endpoint, inputs);

/** On pages of signed-in people a session that ended meanwhile leads to sign-in and back. */
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

/** Who asked, after those whom a proxy before us has named: the API believes only its trusted ones. */
function forwardedFor({ request, getClientAddress }: RequestEvent): string {
  const named = request.headers.get('x-forwarded-for');
  return named === null ? getClientAddress() : `${named}, ${getClientAddress()}`;
}

/** What the API hears of the visitor, but for their cookies. */
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
