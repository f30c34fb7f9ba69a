/**
 * The desk that the journeys of one folder share in a process: started once with a browser, a mail
 * server and the providers of sign-ins and of rates, closed after the last journey. Each journey
 * makes its own people, and puts back what it changes of the settings.
 */
import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startFacebook } from '../../apps/api/test/fakes/facebook.ts';
import {
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../apps/api/test/fakes/openid-provider.ts';
import type { Peer } from '../../apps/api/test/fakes/provider-peer.ts';
import {
  startRateProviders,
  type FakeRateProviders,
} from '../../apps/api/test/fakes/rate-providers.ts';
import { callApi, changeSettings } from './api.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { linkIn, openMailbox, type Mailbox } from './mailbox.ts';
import { newVisitor, screen } from './visitor.ts';

export interface SharedDesk {
  readonly desk: Desk;
  readonly browser: Browser;
  /** Takes all emails of the desk. */
  readonly mailbox: Mailbox;
  /** The environment sets Google up; Facebook is for an admin to add. */
  readonly google: OpenIdProvider;
  readonly facebook: Peer;
  readonly rateProviders: FakeRateProviders;
}

/** A type, so that it can be sent as a form. */
export type Person = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

let opened: Promise<SharedDesk> | undefined;
const closing: (() => unknown)[] = [];

/** The desk of this process, for the file that calls it; what the file opened is closed after it. */
export async function sharedDesk(): Promise<SharedDesk> {
  after(closePages);
  // A promise of the caller's own: node:test tells by it in which file a test is declared.
  return await openSharedDesk();
}

/** @public Called before the first journey, by what `tools/test/run.ts` writes. */
export function openSharedDesk(): Promise<SharedDesk> {
  return (opened ??= start());
}

async function start(): Promise<SharedDesk> {
  const t = { after: (work: () => unknown) => void closing.unshift(work) };
  const mailbox = await openMailbox();
  t.after(() => mailbox.close());
  const google = await startOpenIdProvider(t, { accounts: [] });
  const facebook = await startFacebook(t, { accounts: [] });
  const rateProviders = await startRateProviders(t);
  const { FACEBOOK_URL = '', FACEBOOK_GRAPH_URL = '' } = facebook.environment;
  const environment = {
    ...google.environment,
    FACEBOOK_URL,
    FACEBOOK_GRAPH_URL,
    ...rateProviders.environment,
    // Dozens of people sign up from one address.
    THROTTLE_SCALE: '100',
  };
  const [desk, browser] = await Promise.all([startDesk({ environment }), openBrowser()]);
  t.after(() => desk.stop());
  t.after(() => browser.close());
  google.trust(`${desk.api}/api/auth/google/callback`);
  facebook.trust(`${desk.api}/api/auth/facebook/callback`);
  const shared = { desk, browser, mailbox, google, facebook, rateProviders };
  const admin = await newAdmin(shared);
  await changeSettings(admin.context(), desk, 'mail', (value) => ({
    ...value,
    host: '127.0.0.1',
    port: mailbox.port,
    security: 'none',
    from_address: 'desk@cambist.example',
  }));
  await admin.context().close();
  return shared;
}

async function closePages(): Promise<void> {
  const { browser } = await openSharedDesk();
  for (const context of browser.contexts()) await context.close();
}

/** @public Called after the last journey, by what `tools/test/run.ts` writes. */
export async function closeSharedDesk(): Promise<void> {
  for (const close of closing) await close();
}

/** Someone without an account yet, whose address no other test has. */
export function newPerson(name: string): Person {
  const local = `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}`;
  return { name, email: `${local}@example.com`, password: 'a sentence nobody guesses' };
}

/** A page in a browser of its own in which a new customer is signed in, whose address is confirmed. */
export async function newCustomer(
  { desk, browser, mailbox }: SharedDesk,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person & { readonly page: Page }> {
  const person = newPerson(name);
  const page = await newVisitor(browser, options);
  const post = (path: string, data: object) => callApi(page.context(), desk, 'POST', path, data);
  await post('/api/auth/signup', { ...person, terms_accepted: true });
  const link = new URL(linkIn(await mailbox.read(person.email, /^Confirm/)));
  await post('/api/auth/verify-email', { token: link.searchParams.get('token') });
  return { ...person, page };
}

/** A page in a browser of its own in which the desk's admin is signed in; on a wide screen by default. */
export async function newAdmin(
  { desk, browser }: Pick<SharedDesk, 'desk' | 'browser'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newVisitor(browser, { viewport: screen, ...options });
  await callApi(page.context(), desk, 'POST', '/api/auth/signin', desk.admin);
  return page;
}

/** Returns what puts these settings back, for the journeys that come after. */
export async function rememberSettings(
  shared: SharedDesk,
  slugs: readonly string[],
): Promise<() => Promise<void>> {
  const { desk } = shared;
  const page = await newAdmin(shared);
  const before = new Map<string, object>();
  for (const slug of slugs) {
    const path = `/api/admin/settings/${slug}`;
    const { value } = await callApi<{ value: object }>(page.context(), desk, 'GET', path);
    before.set(slug, value);
  }
  await page.context().close();
  return async () => {
    // The pages of the journey are closed already.
    const admin = await newAdmin(shared);
    for (const [slug, value] of before)
      await changeSettings(admin.context(), desk, slug, () => ({ ...value }));
    await admin.context().close();
  };
}
