/**
 * A client that behaves like a browser: keeps cookies, sends the CSRF token with every write and the frontend's
 * Origin by default.
 */
import type { Permission } from '@cambist/contract/endpoint';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { untilServed } from './eventually.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** The parsed JSON body, or null. */
  readonly body: Json;
  readonly text: string;
  readonly bytes: Buffer;
}

/** Parsed JSON without types. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as `Idempotency-Key`; `true` makes a new one. */
  readonly key?: string | true;
}

export interface Person {
  readonly name?: string;
  readonly email?: string;
  readonly password?: string;
  /** Whether a member's address is verified; true by default. */
  readonly verified?: boolean;
  /** An admin's; all by default. */
  readonly permissions?: readonly Permission[];
}

export const PASSWORD = 'correct horse battery staple';

export class Client {
  readonly jar = new Map<string, string>();
  readonly #app: FastifyInstance;
  readonly #frontendUrl: string;
  readonly #patient: boolean;

  /** `patient`: retries after 503, with the same key. */
  constructor(app: FastifyInstance, frontendUrl: string, { patient = false } = {}) {
    this.#app = app;
    this.#frontendUrl = frontendUrl;
    this.#patient = patient;
  }

  get(url: string, ask?: Ask): Promise<Answer> {
    return this.send('GET', url, undefined, ask);
  }
  post(url: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('POST', url, body, ask);
  }
  put(url: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('PUT', url, body, ask);
  }
  patch(url: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('PATCH', url, body, ask);
  }
  delete(url: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('DELETE', url, body, ask);
  }

  /** One file as `multipart/form-data`. */
  async upload(
    url: string,
    field: string,
    file: { readonly bytes: Uint8Array; readonly name: string; readonly type: string },
    ask: Ask = {},
  ): Promise<Answer> {
    const boundary = `----cambist${randomUUID()}`;
    const head =
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${file.name}"\r\n` +
      `Content-Type: ${file.type}\r\n\r\n`;
    const payload = Buffer.concat([
      Buffer.from(head),
      file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return this.send('POST', url, payload, { ...ask, headers: { ...type, ...ask.headers } });
  }

  async send(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: unknown,
    ask: Ask = {},
  ): Promise<Answer> {
    const withKey = ask.key === true ? { ...ask, key: randomUUID() } : ask;
    const once = () => this.#sendOnce(method, url, body, withKey);
    return this.#patient ? untilServed(once) : once();
  }

  async #sendOnce(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body: unknown,
    ask: Ask,
  ): Promise<Answer> {
    const safe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    if (!safe && !this.jar.has('XSRF-TOKEN')) {
      const token = await this.get('/stateful/csrf-cookie');
      assert.equal(token.status, 204, token.text);
    }
    const answer = await this.#app.inject({
      method,
      url,
      headers: {
        accept: 'application/json',
        origin: this.#frontendUrl,
        ...this.#cookieHeaders(safe),
        ...(ask.key ? { 'idempotency-key': String(ask.key) } : {}),
        ...ask.headers,
      },
      ...(ask.query ? { query: stringified(ask.query) } : {}),
      ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
    });
    for (const { name, value } of answer.cookies) this.jar.set(name, value);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: parsed(answer.body, String(answer.headers['content-type'] ?? '')),
      text: answer.body,
      bytes: answer.rawPayload,
    };
  }

  #cookieHeaders(safe: boolean): Record<string, string> {
    if (this.jar.size === 0) return {};
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    return { cookie, ...(safe ? {} : { 'x-xsrf-token': this.jar.get('XSRF-TOKEN') ?? '' }) };
  }

  /** Opens an account and stays signed in; returns the user. */
  async signUp(person: Person = {}): Promise<Json> {
    const answer = await this.post('/api/auth/signup', {
      name: person.name ?? 'Alex Marlow',
      email: person.email ?? `${randomUUID()}@example.com`,
      password: person.password ?? PASSWORD,
      terms_accepted: true,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  }

  /** Deletes the account; `email` is fetched by default. */
  async leave(email?: string): Promise<Answer> {
    const typed = email ?? (await this.get('/api/user')).body.email;
    return this.delete('/api/user', { email: typed });
  }

  /** Signs in; returns the user. */
  async signIn(email: string, password = PASSWORD): Promise<Json> {
    const answer = await this.post('/api/auth/signin', { email, password });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  }
}

function stringified(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

function parsed(text: string, contentType: string): Json {
  return text !== '' && contentType.startsWith('application/json') ? JSON.parse(text) : null;
}
