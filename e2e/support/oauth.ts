/** Signing in with Google and Facebook: what a visitor does there, and how they come back. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Account } from '../../apps/api/test/fakes/provider-peer.ts';
import type { Desk } from './desk.ts';
import type { SharedDesk } from './shared-desk.ts';

export type Provider = 'google' | 'facebook';

export const labels = { google: 'Google', facebook: 'Facebook' } as const;

/** A user of the provider, with an address of their own unless one is given. */
export function newAccount(
  shared: SharedDesk,
  provider: Provider,
  about: Partial<Account> = {},
): Account & { readonly email: string } {
  const subject = randomUUID();
  const name = `Mara ${subject.slice(0, 8)}`;
  const email = `${subject}@example.com`;
  const account = { subject, name, email, email_verified: true, ...about };
  shared[provider].accounts.set(subject, account);
  return account;
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

/** From the button on the page `from` to the desk's page `to`. */
export async function signInThrough(
  page: Page,
  desk: Desk,
  {
    provider,
    account,
    from = '/signin',
    to = '/exchanges',
  }: {
    readonly provider: Provider;
    readonly account: Account;
    readonly from?: string;
    readonly to?: string;
  },
): Promise<URL> {
  await page.goto(`${desk.web}${from}`);
  await press(page, provider);
  await agree(page, provider, account);
  return arrive(page, desk, to);
}
