/**
 * Relays pictures of the media library from the API under the same path, so that the policy names
 * one origin and browsers open no second connection. A name always means the same bytes, so they
 * are cached for everyone.
 */
import type { RequestEvent } from '@sveltejs/kit';
import { parseMediaPath } from '@cambist/contract/media';
import { API_INTERNAL_URL } from '$app/env/private';
import { relayedHeaders } from './relay.ts';

const patienceMs = 10_000;
const forwardedHeaders = ['content-type', 'content-length', 'etag', 'cache-control'];

/** Answers 404 for other names without asking the API, and 503 when the API is down. */
export async function mediaFile(event: RequestEvent, requestId: string): Promise<Response> {
  const { request, url } = event;
  if (parseMediaPath(url.pathname) === null) return nothing(404);
  const headers = new Headers(relayedHeaders(event, requestId));
  const known = request.headers.get('if-none-match');
  if (known !== null) headers.set('if-none-match', known);

  // The timeout covers the start of the answer only: a phone may take longer for the rest.
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), patienceMs);
  try {
    const answer = await fetch(new URL(url.pathname, API_INTERNAL_URL), {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, silence.signal]),
    });
    return await handedOn(answer);
  } catch {
    return nothing(503);
  } finally {
    clearTimeout(timer);
  }
}

async function handedOn(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  if (status !== 200 && status !== 304) {
    // An unread body would keep the connection open.
    await answer.body?.cancel();
    return nothing(status === 404 || status === 429 ? status : 503, headers.get('retry-after'));
  }
  const shown = new Headers();
  for (const name of forwardedHeaders) {
    const value = headers.get(name);
    if (value !== null) shown.set(name, value);
  }
  return new Response(answer.body, { status, headers: shown });
}

function nothing(status: number, retryAfter: string | null = null): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  return new Response(null, { status, headers });
}
