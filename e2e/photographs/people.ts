/** The people who look at the desk: for each an HTTP client with cookies and the CSRF token. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from '../support/desk.ts';

export const PEOPLE = ['anonymous', 'customer', 'admin'] as const;
export type Person = (typeof PEOPLE)[number];
export type People = Readonly<Record<Person, Client>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

class Client {
  readonly cookies = new Map<string, string>();
  readonly #desk: Desk;
  readonly #account: { email: string; password: string } | undefined;

  constructor(desk: Desk, account?: { email: string; password: string }) {
    this.#desk = desk;
    this.#account = account;
  }

  /** `bare`: without cookies and token. Of a stream it returns the first part. */
  async send(method: string, path: string, body?: object, { bare = false } = {}): Promise<Answer> {
    const cookies = bare ? [] : [...this.cookies].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(this.#desk.api + path, {
      method,
      redirect: 'manual',
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        accept: 'application/json',
        origin: this.#desk.web,
        cookie: cookies.join('; '),
        'x-xsrf-token': bare ? '' : (this.cookies.get('XSRF-TOKEN') ?? ''),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
      },
    });
    for (const cookie of bare ? [] : response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await textOf(response) };
  }

  /** Also after a call that ended the session. */
  async ensureSignedIn(): Promise<void> {
    await this.send('GET', '/sanctum/csrf-cookie');
    if (!this.#account || (await this.send('GET', '/api/user')).status === 200) return;
    const { status, text } = await this.send('POST', '/api/auth/signin', this.#account);
    if (status !== 200) throw new Error(`${this.#account.email} cannot sign in: ${text}`);
  }
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  const reader = response.body?.getReader();
  let text = '';
  for (const decoder = new TextDecoder(); /json|text|xml|html/.test(type);) {
    const part = await reader?.read();
    text += decoder.decode(part?.value);
    if (part?.done !== false || type.includes('event-stream')) break;
  }
  await reader?.cancel();
  return text;
}

/** Signs the customer and the admin in; the start of the demo desk prints the customer's password. */
export async function openPeople(desk: Desk): Promise<People> {
  const [, email = '', password = ''] =
    /Customer\s+(\S+@\S+)\s+Password\s+(\S+)/.exec(desk.output()) ?? [];
  const people = {
    anonymous: new Client(desk),
    customer: new Client(desk, { email, password }),
    admin: new Client(desk, desk.admin),
  };
  for (const person of PEOPLE) await people[person].ensureSignedIn();
  // For emails in the local mailbox, whose links open pages.
  const newcomer = new Client(desk);
  await newcomer.ensureSignedIn();
  await newcomer.send('POST', '/api/subscribers', { email: 'reader@example.com' });
  await newcomer.send('POST', '/api/auth/forgot-password', { email });
  // It is noted in the audit log after the answer.
  await sleep(2000);
  const account = { email: 'newcomer@example.com', password: 'four plain words here' };
  const { status, text } = await newcomer.send('POST', '/api/auth/signup', {
    ...account,
    name: 'Nora New',
    terms_accepted: true,
  });
  if (status !== 201) throw new Error(`Nobody can sign up: ${text}`);
  return people;
}
