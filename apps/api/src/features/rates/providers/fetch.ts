/**
 * Fetches the rates of one provider. The other end may be broken or hostile: the
 * whole request has one time-out, the body is counted while it streams, no
 * redirect is followed, and the key stands in no message. Nothing is logged here.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateKey } from '@cambist/contract/rate-settings';
import { Value } from 'typebox/value';
import { failed } from './reading.ts';
import type { Quote, RateProvider, RateRequest, Reading } from './provider.ts';

export interface FetchOptions {
  readonly key: string | null;
  readonly units: readonly string[];
  /** `config.rateProvidersUrl`: where all providers are in tests; null: at their own addresses. */
  readonly providersUrl: string | null;
  readonly timeoutMs?: number;
  /** Ends the request at once. */
  readonly signal?: AbortSignal;
}

/** Less is no time to answer in. */
export const LEAST_MS = 500;
/** Up to twice as long, so that not all desks retry in step. */
const PAUSE_MS = 200;
const TIMEOUT_MS = 10_000;
/** The longest real answer has some 10 kB. Counted after decompression. */
const MAX_BYTES = 1_000_000;
const MAX_DETAIL = 300;
const HIDDEN = '•••';
/** A shorter one stands in figures by chance. */
const LEAST_KEY = 8;
/** With these the provider never got the request. */
const UNSENT: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED'];
const NOT_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** Never throws: every way to fail is a `RateFailure` with its reason. */
export async function fetchRates(
  provider: RateProvider,
  options: FetchOptions,
): Promise<Reading & { durationMs: number }> {
  const began = Date.now();
  const reading = await answerOf(provider, options).catch(failureOf);
  return { ...withoutSecrets(reading, options.key), durationMs: Date.now() - began };
}

/**
 * Once more, a moment later, where the first request had no answer: most of what breaks a connection
 * is over by then. One time-out holds for both. `requests`: how many the provider got, as its plan
 * counts them. Never throws.
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

/** How many requests the provider got. */
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
    // Lets go of a body that was not read to its end.
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
    // A redirect could lead into this machine's own network, and would carry the key along.
    redirect: 'manual',
    signal,
  });
  return withPause(await readingOf(provider, url, units, response), response);
}

async function readingOf(
  provider: RateProvider,
  url: URL,
  units: readonly string[],
  response: Response,
): Promise<Reading> {
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return failed('unavailable', `Its redirect to ${hostOf(location, url)} was not followed.`);
  }
  const text = await readText(response);
  if (text === null) return failed('malformed', 'Its answer is larger than 1 MB.');
  return provider.read({ status: response.status, text, units });
}

/** With `Retry-After`, whatever the status: some send errors with 200. */
function withPause(reading: Reading, { headers }: Response): Reading {
  const retryAfter = headers.get('retry-after');
  return reading.ok || retryAfter === null ? reading : { ...reading, retryAfter };
}

/** Null when there is more than the limit; the rest is then never fetched. */
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

/** Our words and a code. Messages of errors are left out: some repeat the address or a header. */
function reasonOf(error: unknown): string {
  if (error instanceof TimedOut) {
    return `It did not answer in full within ${error.timeoutMs / 1000} seconds.`;
  }
  const code = codeOf(error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'Its address could not be found.';
    case 'ECONNREFUSED':
      return 'It refused the connection.';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'It broke the connection off.';
    default:
      return code === null ? 'It could not be asked.' : `It could not be asked (${code}).`;
  }
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

function hostOf(location: string, from: URL): string {
  const host = URL.canParse(location, from) ? new URL(location, from).host : '';
  return host === '' ? 'an address without a host' : host;
}

/** A hostile provider may send the key in a rate's place, and what is no rate is shown to admins. */
function withoutKey(rates: readonly Quote[], key: string): Quote[] {
  const secret = key.toLowerCase();
  return rates.map((given) =>
    secret.length >= LEAST_KEY && given.rate.toLowerCase().includes(secret)
      ? { ...given, rate: HIDDEN }
      : given,
  );
}

/** A provider may repeat the key in its words, so it is taken out before they are cut. */
function withoutSecrets(reading: Reading, key: string | null): Reading {
  if (reading.ok)
    return key === null ? reading : { ...reading, rates: withoutKey(reading.rates, key) };
  const secrets = key === null ? [] : [key, encodeURIComponent(key)];
  const clean = secrets.reduce(
    (words, secret) => words.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), HIDDEN),
    reading.detail,
  );
  const line = clean.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const detail = line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL - 1)}…` : line;
  return { ...reading, detail: detail.toWellFormed() };
}
