/**
 * Every rate provider on this machine, each under its name: it checks the key,
 * answers in the provider's own format and with its documented errors, and can
 * misbehave in every way that a run must survive.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { rateProviders, type RateProviderName } from '@cambist/contract/rate-settings';
import type { Cleanup } from '#test/database.ts';
import { documentedErrors, type DocumentedError } from './rate-provider-errors.ts';
import { formats, usualRates } from './rate-provider-formats.ts';

/** A documented error by its name in `rate-provider-errors.ts`, or a way to misbehave. */
export type Mood =
  | 'well'
  | { readonly error: string; readonly status?: number; readonly retryAfter?: string }
  /** This very body, with 200 unless said otherwise. */
  | { readonly body: string | Buffer; readonly status?: number; readonly type?: string }
  /** The right rates with the wrong status. */
  | { readonly wellWith: number }
  /** The right rates, once something else is done. */
  | { readonly wellAfter: () => Promise<unknown> }
  | { readonly redirect: string }
  | 'html'
  | 'huge'
  | 'huge-unpacked'
  | 'dripping'
  | 'hanging'
  | 'reset';

export interface FakeProvider {
  /** The only one that is let in. */
  key: string;
  mood: Mood;
  /** Texts of JSON by unit, or by `bitcoin.usd`; what is changed here holds from the next answer on. */
  rates: Record<string, string>;
  /** The time that it gives its rates; null: what is usual for it. */
  asOf: Date | null;
  /** Path and query of each request, oldest first. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Of the last `huge` answer, as many as the caller let through. */
  sentBytes: number;
}

export type FakeRateProviders = Readonly<Record<RateProviderName, FakeProvider>> & {
  readonly url: string;
  readonly environment: Readonly<Record<'RATE_PROVIDERS_URL', string>>;
  /** Where a redirect may lead: nobody must ever come. */
  readonly trap: { readonly url: string; hits: number };
  /** What time it is with all of them. */
  clock: () => Date;
};

/** Not localhost: another site than the service's. */
const HOST = '127.0.0.1';
const HUGE_BYTES = 100_000_000;

export async function startRateProviders(t: Cleanup): Promise<FakeRateProviders> {
  const server = createServer((request, response) => {
    // A caller that goes away in the middle of an answer is what most tests are about.
    response.on('error', () => undefined);
    answer(fakes, request, response).catch(() => response.destroy());
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  t.after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  const each = Object.fromEntries(rateProviders.map((name) => [name, newProvider(name)]));
  const fakes: FakeRateProviders = Object.assign(each as Record<RateProviderName, FakeProvider>, {
    url,
    environment: { RATE_PROVIDERS_URL: url },
    trap: { url: `${url}/trap`, hits: 0 },
    clock: () => new Date(),
  });
  return fakes;
}

function newProvider(name: RateProviderName): FakeProvider {
  return {
    key: `${name}-4f9d2c7a81b3e605`,
    mood: 'well',
    rates: { ...usualRates[name] },
    asOf: null,
    requests: [],
    sentBytes: 0,
  };
}

async function answer(
  fakes: FakeRateProviders,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', fakes.url);
  if (url.pathname === '/trap') {
    fakes.trap.hits += 1;
    send(response, { status: 200, body: '{}' });
    return;
  }
  const [, first = ''] = url.pathname.split('/');
  const name = rateProviders.find((known) => known === first);
  if (name === undefined) return send(response, { status: 404, body: '' });
  const path = url.pathname.slice(first.length + 1);
  const fake = fakes[name];
  fake.requests.push({ path: path + url.search, headers: request.headers });

  const refusal = refusalOf(name, fake, path, url, request);
  const success = () =>
    formats[name].success(fake.rates, fake.asOf ?? formats[name].timeOf(fakes.clock()), url);
  if (refusal !== null && fake.mood === 'well') return send(response, refusal);
  await behave(fake, documentedErrors[name], success, response);
}

/** What a provider says to a wrong address or key, before anything else. */
function refusalOf(
  name: RateProviderName,
  fake: FakeProvider,
  path: string,
  url: URL,
  request: IncomingMessage,
): DocumentedError | null {
  const format = formats[name];
  const errors = documentedErrors[name];
  if (path !== format.path) return errors['not_found'] ?? { status: 404, body: '' };
  const header = (key: string) => {
    const value = request.headers[key];
    return typeof value === 'string' ? value : null;
  };
  const key = format.key(url, header);
  if (key === fake.key) return null;
  const wanted = key === null ? format.refusals.none : format.refusals.wrong;
  return wanted === null ? null : (errors[wanted] ?? null);
}

async function behave(
  fake: FakeProvider,
  errors: Readonly<Record<string, DocumentedError>>,
  success: () => string,
  response: ServerResponse,
): Promise<void> {
  const { mood } = fake;
  if (typeof mood === 'object' && 'wellAfter' in mood) {
    await mood.wellAfter();
    return send(response, { status: 200, body: success() });
  }
  if (typeof mood === 'object') return behaveAs(mood, errors, success, response);
  switch (mood) {
    case 'well':
      return send(response, { status: 200, body: success() });
    case 'html':
      return send(response, {
        status: 200,
        body: '<!doctype html><title>Welcome to nginx!</title>',
        type: 'text/html',
      });
    case 'huge':
      return sendHuge(fake, response);
    case 'huge-unpacked':
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(HUGE_BYTES, ' ')));
      return;
    case 'dripping':
      return drip(success(), response);
    case 'hanging':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
  }
}

function behaveAs(
  mood: Exclude<Mood, string | { wellAfter: unknown }>,
  errors: Readonly<Record<string, DocumentedError>>,
  success: () => string,
  response: ServerResponse,
): void {
  if ('redirect' in mood) {
    response.writeHead(302, { location: mood.redirect }).end();
  } else if ('wellWith' in mood) {
    send(response, { status: mood.wellWith, body: success() });
  } else if ('body' in mood) {
    send(response, { status: 200, ...mood });
  } else {
    const error = errors[mood.error];
    if (error === undefined) throw new Error(`No error is called ${mood.error}.`);
    if (mood.retryAfter !== undefined) response.setHeader('retry-after', mood.retryAfter);
    send(response, { ...error, status: mood.status ?? error.status });
  }
}

function send(
  response: ServerResponse,
  { status, body, type }: { status: number; body: string | Buffer; type?: string },
): void {
  const page = typeof body === 'string' && body.startsWith('<');
  response
    .writeHead(status, { 'content-type': type ?? (page ? 'text/html' : 'application/json') })
    .end(body);
}

/** 100 MB of valid JSON, as fast as the caller takes it. */
async function sendHuge(fake: FakeProvider, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(64 * 1024, ' ');
  fake.sentBytes = 0;
  await pipeline(function* () {
    for (; fake.sentBytes < HUGE_BYTES; fake.sentBytes += block.length) yield block;
    yield '{}';
  }, response);
}

/** The right answer, one byte at a time, for longer than anybody should wait. */
function drip(body: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  let at = 0;
  const timer = setInterval(() => {
    if (at >= body.length) response.end();
    else response.write(body[at]);
    at += 1;
  }, 20);
  response.on('close', () => clearInterval(timer));
}
