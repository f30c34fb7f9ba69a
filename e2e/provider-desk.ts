/**
 * A desk that knows a Google and a Facebook on this machine, and visitors who
 * go there and come back. Google is set up by the environment; Facebook waits
 * for `addFacebook`, which does it by the settings.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { startFacebook } from '../apps/api/test/fakes/facebook.ts';
import {
  startOpenIdProvider,
  type OpenIdProvider,
} from '../apps/api/test/fakes/openid-provider.ts';
import { goThrough, type Account, type Peer } from '../apps/api/test/fakes/provider-peer.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, screen, signIn } from './visitor.ts';

export type Provider = 'google' | 'facebook';

export const labels = { google: 'Google', facebook: 'Facebook' } as const;
export const password = 'a sentence nobody guesses';

export interface ProviderDesk extends Desk {
  readonly browser: Browser;
  readonly peers: { readonly google: OpenIdProvider; readonly facebook: Peer };
  /** A browser that has never been here. */
  newPage(): Promise<Page>;
  /** Somebody whom the provider knows, with an address of their own unless one is given. */
  knownTo(provider: Provider, about?: Partial<Account>): Account & { readonly email: string };
}

export async function startProviderDesk(): Promise<ProviderDesk> {
  const closing: (() => unknown)[] = [];
  const t = { after: (work: () => unknown) => void closing.push(work) };
  const peers = {
    google: await startOpenIdProvider(t, { accounts: [] }),
    facebook: await startFacebook(t, { accounts: [] }),
  };
  const { FACEBOOK_URL = '', FACEBOOK_GRAPH_URL = '' } = peers.facebook.environment;
  const environment = { ...peers.google.environment, FACEBOOK_URL, FACEBOOK_GRAPH_URL };
  const [desk, browser] = await Promise.all([startDesk({ environment }), openBrowser()]);
  for (const provider of ['google', 'facebook'] as const) {
    peers[provider].trust(`${desk.api}/api/auth/${provider}/callback`);
  }
  return {
    ...desk,
    browser,
    peers,
    newPage: () => newVisitor(browser, { viewport: screen }),
    knownTo(provider, about = {}) {
      const subject = randomUUID();
      const name = `Mara ${subject.slice(0, 8)}`;
      const email = `${subject}@example.com`;
      const account = { subject, name, email, email_verified: true, ...about };
      peers[provider].accounts.set(subject, account);
      return account;
    },
    async stop() {
      await browser.close();
      const code = await desk.stop();
      for (const close of closing) await close();
      return code;
    },
  };
}

/** Presses the button of the page that is open. */
export async function press(page: Page, provider: Provider): Promise<void> {
  await page.getByRole('link', { name: `Continue with ${labels[provider]}` }).click();
}

/** At the provider: chooses the account and, at Google, consents. */
export async function agree(page: Page, provider: Provider, { name }: Account): Promise<void> {
  await page.getByRole('button', { name: `Go on as ${name}` }).click();
  if (provider === 'google') await page.getByRole('button', { name: 'Continue' }).click();
}

/** Waits for a page of the desk itself. */
export async function arrive(page: Page, desk: Desk, path: string): Promise<URL> {
  await page.waitForURL((url) => url.origin === desk.web && url.pathname === path);
  return new URL(page.url());
}

/** From the button on `path` to the desk's page `to`. */
export async function come(
  page: Page,
  desk: Desk,
  { provider, as, from = '/signin', to = '/exchanges' }: Coming,
): Promise<URL> {
  await page.goto(`${desk.web}${from}`);
  await press(page, provider);
  await agree(page, provider, as);
  return arrive(page, desk, to);
}

interface Coming {
  readonly provider: Provider;
  readonly as: Account;
  readonly from?: string;
  readonly to?: string;
}

/** Asks the API from a page of the frontend, as its own script does. */
export async function ask(
  page: Page,
  desk: Desk,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  if (!page.url().startsWith(desk.web)) await page.goto(`${desk.web}/terms`);
  return page.evaluate(
    async ({ api, method, path, body }) => {
      const send = (path: string, rest: RequestInit) =>
        fetch(`${api}${path}`, { credentials: 'include', ...rest });
      if (method !== 'GET') await send('/stateful/csrf-cookie', {});
      const { document } = globalThis as unknown as { document: { cookie: string } };
      const token = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '';
      const answer = await send(path, {
        method,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-xsrf-token': decodeURIComponent(token),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    },
    { api: desk.api, method, path, body },
  );
}

/** Who is signed in here; null for nobody. */
export async function whoIsIn(
  page: Page,
  desk: Desk,
): Promise<{ id: string; email: string } | null> {
  const { status, body } = await ask(page, desk, 'GET', '/api/user');
  return status === 200 ? body : null;
}

/** Opens an account with a password. */
export async function register(page: Page, desk: Desk, email: string): Promise<void> {
  const person = { name: 'Noor Haddad', email, password, terms_accepted: true };
  const { status, body } = await ask(page, desk, 'POST', '/api/auth/signup', person);
  assert.equal(status, 201, JSON.stringify(body));
}

export async function signOut(page: Page, desk: Desk): Promise<void> {
  await page.goto(`${desk.web}/exchanges`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname !== '/exchanges');
  assert.equal(await whoIsIn(page, desk), null);
}

export async function signInByPassword(page: Page, email: string): Promise<void> {
  await signIn(page, { email, password });
}

/**
 * Sets out in this browser, agrees, and answers the address that the provider
 * leads back to, which nobody has called yet.
 */
export async function goAlmost(
  page: Page,
  desk: Desk,
  { provider, as, next }: { provider: Provider; as: Account; next: string },
): Promise<string> {
  const query = new URLSearchParams({ next });
  const answer = await page
    .context()
    .request.get(`${desk.api}/api/auth/${provider}/redirect?${query}`, { maxRedirects: 0 });
  const start = answer.headers()['location'];
  assert.ok(start !== undefined, await answer.text());
  return (await goThrough(start, as.subject)).href;
}

/** Sets Facebook up as an admin does, by the settings. */
export async function addFacebook(desk: ProviderDesk): Promise<void> {
  const page = await desk.newPage();
  const group = '/api/admin/settings/sign-in-providers';
  const done = async (method: string, path: string, body?: object) => {
    const answer = await ask(page, desk, method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer));
    return answer.body.data;
  };
  await ask(page, desk, 'POST', '/api/auth/signin', desk.admin);
  const { FACEBOOK_CLIENT_ID: client_id, FACEBOOK_CLIENT_SECRET: secret } =
    desk.peers.facebook.environment;
  await done('PUT', `${group}/secrets/facebook_client_secret`, { secret });
  const { version, value } = await done('GET', group);
  await done('PUT', group, {
    version,
    value: { ...value, facebook: { enabled: true, client_id } },
  });
  await page.context().close();
}

/** An hour later, as far as fresh confirmations go: a journey cannot wait for it. */
export async function letConfirmationsExpire(desk: Desk): Promise<void> {
  const sql = connect(desk.databaseUrl(), 1);
  try {
    await sql`update sessions set confirmed_at = confirmed_at - interval '1 hour'`;
  } finally {
    await sql.end();
  }
}
