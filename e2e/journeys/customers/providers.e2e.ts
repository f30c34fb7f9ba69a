/** Signing in with Google and Facebook, in a browser that goes there and comes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { callApi, currentUser, eventuallyShows } from '../../support/api.ts';
import { agree, arrive, labels, newAccount, press, signInThrough } from '../../support/oauth.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, screen, signIn } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;
const password = 'a sentence nobody guesses';

const newPage = () => newVisitor(browser, { viewport: screen });
const user = (page: Page) => currentUser(page.context(), desk);

/** Signs up with a password. */
async function signUpAs(page: Page, email: string): Promise<void> {
  const person = { name: 'Noor Haddad', email, password, terms_accepted: true };
  await callApi(page.context(), desk, 'POST', '/api/auth/signup', person);
}

/** An hour later for fresh confirmations: a journey cannot wait for it. */
async function outdateConfirmation(email: string): Promise<void> {
  const sql = connect(desk.databaseUrl(), 1);
  await sql`
    update sessions set confirmed_at = confirmed_at - interval '1 hour'
    from users where users.id = user_id and email = ${email}`;
  await sql.end();
}

async function confirmIn(page: Page, secret: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByRole('textbox').first().fill(secret);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

describe('the providers of sign-ins', () => {
  it('An admin adds Facebook after a fresh confirmation, and its button stands beside Google’s', async () => {
    const guest = await newPage();
    const buttons = async (path: string) => {
      await guest.goto(desk.web + path);
      return guest.getByRole('link', { name: /^Continue with/ }).allInnerTexts();
    };
    assert.deepEqual(await buttons('/signin'), ['Continue with Google']);

    const admin = await newAdmin(shared);
    await outdateConfirmation(desk.admin.email);
    await admin.goto(`${desk.web}/admin/settings/sign-in-providers`, { waitUntil: 'networkidle' });
    await admin.getByText(`${desk.api}/api/auth/facebook/callback`, { exact: true }).waitFor();
    const { FACEBOOK_CLIENT_ID = '', FACEBOOK_CLIENT_SECRET = '' } = shared.facebook.environment;
    await admin
      .getByLabel('Client ID')
      .or(admin.getByLabel('App ID'))
      .last()
      .fill(FACEBOOK_CLIENT_ID);
    await admin.getByRole('switch').last().check();
    await admin.getByRole('button', { name: 'Save changes' }).click();
    await confirmIn(admin, desk.admin.password);
    await admin.getByText(/^Saved: /).waitFor();
    await admin.getByRole('button', { name: /^Set: Facebook/ }).click();
    await admin.getByRole('textbox', { name: /^Facebook / }).fill(`${FACEBOOK_CLIENT_SECRET}\n`);
    await admin.getByRole('button', { name: 'Save the secret' }).click();
    await admin.getByText('Active', { exact: true }).last().waitFor();
    assert.ok(!(await admin.content()).includes(FACEBOOK_CLIENT_SECRET));

    await eventuallyShows(desk, '/signup', (html) => html.includes('Continue with Facebook'));
    for (const path of ['/signin', '/signup']) {
      assert.deepEqual(await buttons(path), ['Continue with Google', 'Continue with Facebook']);
    }
  });

  for (const provider of ['google', 'facebook'] as const) {
    const label = labels[provider];

    it(`${label} opens an account at the first sign-in and leads to the same one afterwards`, async () => {
      const account = newAccount(shared, provider);
      const page = await newPage();
      // A next page on another site is not followed.
      const from = `/signup?next=${encodeURIComponent('//evil.test/')}`;
      const landed = await signInThrough(page, desk, { provider, account, from });
      assert.doesNotMatch(landed.href, /_=_/);
      const opened = await user(page);
      assert.equal(opened?.email, account.email);
      // It is the only way in, so it cannot be unlinked.
      await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
      const row = page.locator('#providers li', { hasText: label });
      await row.getByText('This is your only way to sign in').waitFor();
      assert.equal(await row.getByRole('button').count(), 0);

      await page.getByRole('button', { name: 'Sign out' }).first().click();
      await page.waitForURL((url) => url.pathname !== '/account');
      await page.goto(`${desk.web}/signin`);
      await press(page, provider);
      // Google knows the browser and its consent; Facebook asks each time.
      if (provider === 'facebook') await agree(page, provider, account);
      await arrive(page, desk, '/exchanges');
      assert.equal((await user(page))?.id, opened?.id);
    });

    it(`A customer links and unlinks ${label} after a fresh confirmation`, async () => {
      const account = newAccount(shared, provider);
      const page = await newPage();
      const email = `owner-of-${account.email}`;
      await signUpAs(page, email);
      const owner = await user(page);
      await outdateConfirmation(email);
      await page.goto(`${desk.web}/account`);
      const linking = page.getByRole('link', { name: `Link ${label}` });
      await linking.click();
      await page.waitForLoadState('networkidle');
      await page.getByRole('button', { name: 'Confirm that it is you' }).click();
      await confirmIn(page, password);
      await linking.click();
      await agree(page, provider, account);
      await arrive(page, desk, '/account');
      const row = page.locator('#providers li', { hasText: label });
      await row.getByText(account.email).waitFor();
      await page.waitForLoadState('networkidle');

      const elsewhere = await newPage();
      await signInThrough(elsewhere, desk, { provider, account });
      assert.deepEqual(await user(elsewhere), owner);

      await outdateConfirmation(email);
      await row.getByRole('button', { name: `Unlink ${label}` }).click();
      const question = page.getByRole('dialog', { name: `Unlink ${label}?` });
      await question.getByRole('button', { name: 'Unlink' }).click();
      await confirmIn(page, password);
      await row.getByRole('link', { name: `Link ${label}` }).waitFor();
    });
  }

  it('A provider does not sign in to an account with the same address, whose owner uses the password', async () => {
    const provider = 'facebook';
    const account = newAccount(shared, provider);
    await signUpAs(await newPage(), account.email);
    const page = await newPage();
    const { searchParams } = await signInThrough(page, desk, {
      provider,
      account,
      from: '/signin?next=%2Faccount',
      to: '/signin',
    });
    assert.equal(searchParams.get('trouble'), 'email_in_use');
    await page.getByText(/There’s already an account with this email address/).waitFor();
    assert.equal(await user(page), null);
    await page.goto(`${desk.web}/signin?${searchParams}`);
    await signIn(page, { email: account.email, password });
    await arrive(page, desk, '/account');
  });

  it('A visitor who cancels at the provider reads so and can try again', async () => {
    const provider = 'google';
    const account = newAccount(shared, provider);
    const page = await newPage();
    await page.goto(`${desk.web}/signup?next=%2Faccount%3Ffrom%3Dhere`);
    await press(page, provider);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const { searchParams } = await arrive(page, desk, '/signin');
    assert.equal(searchParams.get('trouble'), 'cancelled');
    await page.getByText(/You stopped before the end/).waitFor();
    assert.equal(await user(page), null);

    await page.goto(`${desk.web}/signin?${searchParams}`);
    await press(page, provider);
    await agree(page, provider, account);
    const { search } = await arrive(page, desk, '/account');
    assert.equal(search, '?from=here');
  });
});
