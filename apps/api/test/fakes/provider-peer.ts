/**
 * What the fake Google and Facebook share: a server that can fail, pages with buttons for a browser, and a client that
 * presses them without one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CookieJar } from 'tough-cookie';
import type { Cleanup } from '#test/database.ts';

/** A user of the provider. */
export interface Account {
  /** The provider's id of the user. */
  readonly subject: string;
  readonly name: string;
  /** Absent if the provider has none, or the user does not share it. */
  readonly email?: string;
  /** Only Google has it. */
  readonly email_verified?: boolean;
}

export interface PeerOptions {
  readonly accounts: readonly Account[];
  readonly redirectUris?: readonly string[];
  /** A free port by default. */
  readonly port?: number;
}

export interface Peer {
  readonly url: string;
  /** Environment variables for the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** By subject; changes apply from the next answer on. */
  readonly accounts: Map<string, Account>;
  /** `down` answers 503 to everything, `hanging` answers nothing. */
  condition: 'up' | 'down' | 'hanging';
  /** Registers another redirect URI. */
  trust(redirectUri: string): void;
}

export interface PeerServer {
  readonly url: string;
  condition: Peer['condition'];
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Not localhost: another site than the service, with cookies of its own. */
const HOST = '127.0.0.1';
const MAX_STEPS = 12;

/** Listens, and calls `answer` while it is up. */
export async function startPeerServer(t: Cleanup, port = 0): Promise<PeerServer> {
  const server = createServer((request, response) => {
    if (peer.condition === 'hanging') return;
    if (peer.condition === 'down') {
      sendPage(response, 'Unavailable', '<p>Try again later.</p>', 503);
      return;
    }
    peer.answer(request, response).catch((error: unknown) => {
      sendPage(response, 'Error', `<pre>${escaped(String(error))}</pre>`, 500);
    });
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  t.after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const { port: taken } = server.address() as AddressInfo;
  const peer: PeerServer = {
    url: `http://${HOST}:${taken}`,
    condition: 'up',
    answer: async (_request, response) => void response.writeHead(404).end(),
  };
  return peer;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A page with one form; its buttons send `choice`. */
export function sendChoices(
  response: ServerResponse,
  { title, action, choices }: { title: string; action: string; choices: readonly Choice[] },
): void {
  const buttons = choices.map(
    ({ value, label }) =>
      `<p><button name="choice" value="${escaped(value)}">${escaped(label)}</button></p>`,
  );
  sendPage(
    response,
    title,
    `<form method="post" action="${escaped(action)}">${buttons.join('')}</form>`,
  );
}

export function sendPage(response: ServerResponse, title: string, body: string, status = 200) {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(`<!doctype html><title>${title}</title><h1>${title}</h1>${body}`);
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}

/**
 * Goes through the provider's pages and returns the callback's address without calling it. `choice` is the subject of
 * an account, or `cancel`.
 */
export async function goThrough(start: string | URL, choice: string): Promise<URL> {
  const { origin } = new URL(start);
  const jar = new CookieJar();
  let address = new URL(start);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const answer: Response = await fetch(address, {
      method: form === null ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: await jar.getCookieString(address.href) },
      ...(form === null ? {} : { body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) await jar.setCookie(cookie, address.href);
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location === null) {
      assert.equal(answer.status, 200, page);
      ({ address, form } = press(page, address, choice));
      continue;
    }
    address = new URL(location, address);
    form = null;
    if (address.origin !== origin) return address;
  }
  throw new Error(`${origin} did not lead back within ${MAX_STEPS} steps.`);
}

/** The chosen button or, if it is not on the page, the one that continues. */
function press(page: string, at: URL, choice: string): { address: URL; form: URLSearchParams } {
  const action = /<form method="post" action="([^"]*)"/.exec(page)?.[1];
  const values = page.matchAll(/name="choice" value="([^"]*)"/g);
  const offered = [...values].map(([, value = '']) => unescaped(value));
  assert.ok(action !== undefined && offered.length > 0, `There is nothing to press:\n${page}`);
  const pressed = offered.includes(choice) ? choice : 'continue';
  assert.ok(offered.includes(pressed), `Nobody is called ${choice}:\n${page}`);
  return {
    address: new URL(unescaped(action), at),
    form: new URLSearchParams({ choice: pressed }),
  };
}

function escaped(words: string): string {
  return words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function unescaped(html: string): string {
  return html.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
