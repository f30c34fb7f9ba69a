/**
 * Fetches the rates of one provider, which may be broken or hostile: one time-out for the whole
 * request, a limit of the body's size, no redirects, and no key in any message.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateKey } from '@cambist/contract/rate-settings';
import { Value } from 'typebox/value';
import { failed } from './reading.ts';
import type { RateProvider, RateRequest, Reading } from './provider.ts';

export interface FetchOptions {
  readonly key: string | null;
  readonly units: readonly string[];
  /** The base URL of all providers in tests; null: their own. */
  readonly providersUrl: string | null;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Too short for an answer. */
export const LEAST_MS = 500;
/** Up to twice as long at random, so that desks do not retry simultaneously. */
const PAUSE_MS = 200;
const TIMEOUT_MS = 10_000;
/** After decompression. Real answers have about 10 kB. */
const MAX_BYTES = 1_000_000;
const MAX_DETAIL = 300;
const HIDDEN = '•••';
/** The request did not reach the provider. */
const UNSENT: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED'];
const NOT_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** Never throws. */
export async function fetchRates(
  provider: RateProvider,
  options: FetchOptions,
): Promise<Reading & { durationMs: number }> {
  const began = Date.now();
  const reading = await answerOf(provider, options).catch(failureOf);
  return { ...withoutSecrets(reading, options.key), durationMs: Date.now() - began };
}

/**
 * Retries once after a network failure, within the same time-out. `requests`: the number that reached
 * the provider. Never throws.
 */
export async function fetchWithRetry(
  provider: RateProvider,
  { timeoutMs, ...options }: FetchOptions & { readonly timeoutMs: number },
): Promise<Reading & { durationMs: number; requests: number }> {
  const first = await fetchRates(provider, { ...options, timeoutMs });
  const requests = countOf(first);
  const pauseMs = randomInt(PAUSE_MS, 2 * PAUSE_MS);
  const leftMs = timeoutMs - first.durationMs - pauseMs;
  const isOver = first.ok || first.network === undefined || options.signal?.aborted === true;
  if (isOver || leftMs < LEAST_MS) return { ...first, requests };
  await sleep(pauseMs);
  const second = await fetchRates(provider, { ...options, timeoutMs: leftMs });
  const durationMs = first.durationMs + pauseMs + second.durationMs;
  return { ...second, durationMs, requests: requests + countOf(second) };
}

/** The number of requests that reached the provider. */
export function countOf(reading: Reading): number {
  return reading.ok || reading.network !== 'unsent' ? 1 : 0;
}

async function answerOf(provider: RateProvider, options: FetchOptions): Promise<Reading> {
  const { key, units, providersUrl, timeoutMs = TIMEOUT_MS, signal } = options;
  if (key === null && provider.needsKey) return failed('invalid_key', 'No key is set.');
  if (key !== null && !Value.Check(RateKey, key)) {
    return failed('invalid_key', 'The key is too long, or has characters that no key has.');
  }
  const baseUrl = providersUrl === null ? null : `${providersUrl}/${provider.name}`;
  const request = provider.request({ key, units, baseUrl });
  if (providersUrl === null && request.url.protocol !== 'https:') {
    return failed('unavailable', 'Its address is not https.');
  }
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new TimedOut(timeoutMs)), timeoutMs);
  try {
    const ends = signal === undefined ? end.signal : AbortSignal.any([end.signal, signal]);
    return await send(provider, request, units, ends);
  } finally {
    clearTimeout(timer);
    // Frees an unread body.
    end.abort();
  }
}

async function send(
  provider: RateProvider,
  { url, headers }: RateRequest,
  units: readonly string[],
  signal: AbortSignal,
): Promise<Reading> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': 'Cambist', ...headers },
    // A redirect could lead into the internal network, with the key.
    redirect: 'manual',
    signal,
  });
  return withPause(await readingOf(provider, units, response), response);
}

async function readingOf(
  provider: RateProvider,
  units: readonly string[],
  response: Response,
): Promise<Reading> {
  if (response.status >= 300 && response.status < 400 && response.headers.has('location')) {
    return failed('unavailable', 'Its redirect was not followed.');
  }
  const text = await readText(response);
  if (text === null) return failed('malformed', 'Its answer is larger than 1 MB.');
  return provider.read({ status: response.status, text, units });
}

/** `Retry-After` of any status, since some errors have 200. */
function withPause(reading: Reading, { headers }: Response): Reading {
  const retryAfter = headers.get('retry-after');
  return reading.ok || retryAfter === null ? reading : { ...reading, retryAfter };
}

/** Null above the limit, where reading stops. */
async function readText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

class TimedOut extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super('timed out');
    this.timeoutMs = timeoutMs;
  }
}

function failureOf(error: unknown): Reading {
  if (errorCodeOf(error) === NOT_UTF8) return failed('malformed', 'Its answer is not UTF-8.');
  const code = codeOf(error) ?? '';
  const network = UNSENT.includes(code) ? 'unsent' : 'broken';
  return { ok: false, failure: 'unavailable', detail: reasonOf(error), network };
}

/** Without the errors' messages, which may have the URL or a header. */
function reasonOf(error: unknown): string {
  if (error instanceof TimedOut)
    return `It did not answer in full within ${error.timeoutMs / 1000} seconds.`;
  const code = codeOf(error);
  return code === null ? 'It could not be reached.' : `It could not be reached (${code}).`;
}

function codeOf(error: unknown): string | null {
  return errorCodeOf(error) ?? (error instanceof Error ? errorCodeOf(error.cause) : null);
}

function errorCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code)
    ? error.code
    : null;
}

/** Removes the key from the provider's message, then shortens it. */
function withoutSecrets(reading: Reading, key: string | null): Reading {
  if (reading.ok) return reading;
  const secrets = key === null ? [] : [key, encodeURIComponent(key)];
  const clean = secrets.reduce(
    (words, secret) => words.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), HIDDEN),
    reading.detail,
  );
  const line = clean.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const detail = line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL - 1)}…` : line;
  return { ...reading, detail: detail.toWellFormed() };
}
