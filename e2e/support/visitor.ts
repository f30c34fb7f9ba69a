/** What visitors of every journey do: open a browser of their own, sign up, sign in. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { turnOnApp } from './authenticator-app.ts';
import type { Desk } from './desk.ts';

/** More than any step takes on a busy machine. */
const timeoutMs = 30_000;

export const phone = { width: 390, height: 844 } as const;
export const screen = { width: 1280, height: 900 } as const;

interface Person {
  readonly email: string;
  readonly password: string;
}

/** A page in a new browser; on a phone by default. */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return newTab(await browser.newContext({ viewport: phone, ...options }));
}

export async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  return page;
}

/** The user comes back to the window: a headless browser has none that could lose the focus. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new Event('focus'))");
}

/** On the page of sign-in that is open. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signInAsAdmin(page: Page, desk: Desk): Promise<void> {
  await page.goto(`${desk.web}/signin`);
  await signIn(page, desk.admin);
  await page.waitForURL(({ pathname }) => pathname.startsWith('/admin'));
}

/** On the page of sign-up that is open. */
export async function signUp(
  page: Page,
  { name, email, password }: Person & { readonly name: string },
): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Open my account' }).click();
}

/** Signs up with these second factors, and stays on the account page. */
export async function openAccount(
  page: Page,
  desk: Desk,
  person: Person & { readonly name: string },
  factors: readonly ('app' | 'passkey')[],
): Promise<void> {
  await addAuthenticator(page);
  await page.goto(`${desk.web}/signup`);
  await signUp(page, person);
  await page.waitForURL(/\/preview/);
  await page.goto(`${desk.web}/account`);
  for (const factor of factors) {
    await (factor === 'app' ? turnOnApp(page) : addPasskey(page, 'Telephone'));
    // The first brings the recovery codes.
    if (factor === factors[0]) await page.getByRole('button', { name: 'I’ve saved them' }).click();
  }
  if (!factors.includes('passkey')) return;
  await page.getByRole('button', { name: 'Remove the passkey Telephone' }).waitFor();
}

/** A device that stores passkeys and always recognises its owner. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** On the account page. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create the passkey' }).click();
}
