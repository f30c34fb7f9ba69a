/**
 * The desk that the journeys of `e2e/journeys` share in a process: started once with its mail server
 * and a browser, closed after the last journey. Each journey makes its own people, and changes only
 * what is theirs: no setting, and no row of another person.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { linkIn, openLetterBox, type LetterBox } from './letter-box.ts';
import { newVisitor, screen } from './visitor.ts';

export interface SharedDesk {
  readonly desk: Desk;
  readonly browser: Browser;
  /** Takes all email of the desk. */
  readonly box: LetterBox;
}

/** A type, so that it can be sent as a form. */
export type Person = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

let opened: Promise<SharedDesk> | undefined;

/** Starts the desk at the first call in a process. */
export async function sharedDesk(): Promise<SharedDesk> {
  opened ??= openSharedDesk();
  // A promise of the caller's own: node:test tells by it in which file a test is declared.
  return await opened;
}

async function openSharedDesk(): Promise<SharedDesk> {
  const box = await openLetterBox();
  // Dozens of people sign up from one address.
  const environment = { MAIL_URL: box.url, THROTTLE_SCALE: '100' };
  const [desk, browser] = await Promise.all([startDesk({ environment }), openBrowser()]);
  return { desk, browser, box };
}

/** @public Called after the last journey, by what `tools/test/run.ts` writes. */
export async function closeSharedDesk(): Promise<void> {
  if (opened === undefined) return;
  const { desk, browser, box } = await opened;
  await browser.close();
  await desk.stop();
  await box.close();
}

/** Someone without an account yet, whose address no other test has. */
export function newPerson(name: string): Person {
  const local = `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}`;
  return { name, email: `${local}@example.com`, password: 'a sentence nobody guesses' };
}

/** A page in a browser of its own in which a new customer is signed in, whose address is confirmed. */
export async function newCustomer(
  { desk, browser, box }: SharedDesk,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person & { readonly page: Page }> {
  const person = newPerson(name);
  const page = await newVisitor(browser, options);
  const post = poster(page.context(), desk);
  await post('/api/auth/signup', { ...person, terms_accepted: true });
  const link = new URL(linkIn(await box.read(person.email, /^Confirm/)));
  await post('/api/auth/verify-email', { token: link.searchParams.get('token') });
  return { ...person, page };
}

/** A page in a browser of its own in which the desk's admin is signed in; on a wide screen unless told otherwise. */
export async function newAdmin(
  { desk, browser }: SharedDesk,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newVisitor(browser, { viewport: screen, ...options });
  await poster(page.context(), desk)('/api/auth/signin', desk.admin);
  return page;
}

/** Asks the API as the frontend of this browser does; its cookies are the browser's. */
function poster(context: BrowserContext, desk: Desk) {
  return async (path: string, data: object): Promise<void> => {
    await context.request.get(`${desk.api}/stateful/csrf-cookie`);
    const cookies = await context.cookies(desk.api);
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const headers = { origin: desk.web, 'x-xsrf-token': decodeURIComponent(token) };
    const answer = await context.request.post(desk.api + path, { data, headers });
    assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  };
}
