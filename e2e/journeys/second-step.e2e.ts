/** The second step of a sign-in in a browser: an app's codes, recovery codes and passkeys. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../apps/api/src/platform/db/database.ts';
import { App } from '../authenticator-app.ts';
import { newPerson, sharedDesk } from '../shared-desk.ts';
import {
  addAuthenticator,
  addPasskey,
  lookAgain,
  newTab,
  newVisitor,
  openAccount,
  signIn,
  signUp,
} from '../visitor.ts';

const { desk, browser } = await sharedDesk();
const person = newPerson('Ilse Brandt');
/** Has a passkey on a device of their own, and no app. */
const other = newPerson('Bo Lind');

describe('the second step', () => {
  let page: Page;
  let app: App;
  let recoveryCodes: string[] = [];

  before(async () => {
    page = await newVisitor(browser);
    await addAuthenticator(page);
  });
  after(() => page.context().close());

  /** The first step, in a browser that is signed out. */
  async function beginSignIn(as = page, who = person): Promise<void> {
    await as.context().clearCookies();
    await as.goto(`${desk.web}/signin?next=%2Faccount`);
    await signIn(as, who);
    await as.waitForURL(/\/two-factor\?/);
  }

  const focusedHeading = (as: Page, name: string) =>
    as.getByRole('heading', { name }).and(as.locator(':focus'));

  /** How many sign-ins of theirs wait for a second step. */
  async function waitingOf({ email }: { email: string }): Promise<number> {
    const sql = connect(desk.databaseUrl(), 1);
    const rows = await sql`
      select from sign_in_challenges join users on users.id = user_id where email = ${email}`;
    await sql.end();
    return rows.length;
  }

  /** As if the person had last confirmed who they are eleven minutes ago. */
  async function outdateConfirmation(): Promise<void> {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`
      update sessions set confirmed_at = confirmed_at - interval '11 minutes'
      from users where users.id = user_id and email = ${person.email}`;
    await sql.end();
  }

  async function arrives(): Promise<void> {
    await page.waitForURL(`${desk.web}/account`);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  }

  it('is turned on with the first code of an app, and shows its recovery codes once', async () => {
    await page.goto(`${desk.web}/signup`);
    await signUp(page, person);
    await page.waitForURL(/\/preview/);

    await page.goto(`${desk.web}/account`);
    const begun = page.waitForResponse(/\/two-factor\/totp$/);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const { data } = await (await begun).json();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = new URL(data.uri).searchParams.get('secret') ?? '';
    const written = await dialog.getByText(/^([A-Z2-7]{4} ?)+$/).innerText();
    assert.equal(written.replaceAll(' ', ''), secret);
    app = new App(secret);
    await dialog.getByLabel(/code the app shows/).fill(await app.code());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('heading', { name: 'Save these recovery codes' }).waitFor();
    recoveryCodes = await dialog.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(recoveryCodes).size, 10);
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
    await focusedHeading(page, 'Second step').waitFor();
    await page.reload();
    await page.getByText('10 of 10 are left.').waitFor();
    assert.ok(!(await page.content()).includes(recoveryCodes[0]!));
  });

  it('is asked for after the right password, and takes the code of the app', async () => {
    await page.locator('summary[aria-label="Menu"]').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await beginSignIn();
    const code = page.getByLabel('Code from your app');
    assert.equal(await code.getAttribute('autocomplete'), 'one-time-code');
    await code.fill(await app.code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await arrives();
  });

  it('takes a recovery code in place of the app, without script too', async () => {
    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    for (const outcome of ['opens', 'is spent'] as const) {
      await plain.context().clearCookies();
      await plain.goto(`${desk.web}/signin?next=%2Faccount`);
      await signIn(plain, person);
      await plain.getByRole('link', { name: 'Use a recovery code instead' }).click();
      await plain.getByLabel('Recovery code').fill(recoveryCodes[0]!);
      await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
      if (outcome === 'opens') await plain.waitForURL(`${desk.web}/account`);
      else await plain.locator('[aria-invalid="true"]').waitFor();
    }
    assert.match(plain.url(), /\/two-factor\?/);
    await plain.context().close();
  });

  it('signs in once when the same code is sent twice at once', async () => {
    const pages = await Promise.all([1, 2].map(() => newVisitor(browser)));
    for (const one of pages) await beginSignIn(one);
    const code = await app.code();
    for (const one of pages) await one.getByLabel('Code from your app').fill(code);
    await Promise.all(
      pages.map((one) => one.getByRole('button', { name: 'Sign in', exact: true }).click()),
    );
    const outcomes = await Promise.all(
      pages.map((one) =>
        Promise.any([
          one.waitForURL(`${desk.web}/account`).then(() => 'in'),
          one
            .getByText('This code is not right')
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), ['in', 'refused']);
    for (const one of pages) await one.context().close();
  });

  it('leads whoever comes back to it, once it is passed, to where they were going, by its own address', async () => {
    await beginSignIn();
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[1]!);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await arrives();
    await page.goBack();
    await arrives();
  });

  it('can be a passkey, which also signs in alone', async () => {
    await page.goto(`${desk.web}/account`);
    await addPasskey(page, 'Work laptop');
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).waitFor();

    await beginSignIn();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await arrives();

    await page.context().clearCookies();
    await page.goto(`${desk.web}/signin?next=%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await arrives();
  });

  it('is over once it is begun again, and keeps nobody else from signing in with a passkey alone', async () => {
    const theirs = await newVisitor(browser);
    await openAccount(theirs, desk, other, ['passkey']);
    await theirs.context().close();

    await beginSignIn(page, other);
    const tab = await newTab(page.context());
    await tab.goto(page.url(), { waitUntil: 'networkidle' });
    await tab.getByRole('heading', { name: 'The second step' }).waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.waitForURL(`${desk.web}/signin?next=%2Faccount`);
    assert.equal(await waitingOf(other), 0);
    await lookAgain(tab);
    await focusedHeading(tab, 'Please sign in again').waitFor();
    await beginSignIn(page, other);
    await lookAgain(tab);
    await focusedHeading(tab, 'The second step').waitFor();
    await tab.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await tab.close();
    await beginSignIn(page, person);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.waitForURL(`${desk.web}/signin?next=%2Faccount`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${desk.web}/signin?next=%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await arrives();
    await page.getByText(person.email).first().waitFor();
  });

  it('is asked for before the password changes, once the last confirmation is old', async () => {
    await outdateConfirmation();
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByLabel('Your password', { exact: true }).fill(person.password);
    await page.getByLabel('New password').fill('another sentence nobody guesses');
    await page.getByRole('button', { name: 'Save the new password' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const changed = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.status() === 200,
    );
    await question.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await changed;
    await page.getByText('Your password has been changed').waitFor();
  });

  it('is turned off only by whoever confirms first who they are', async () => {
    await outdateConfirmation();
    const askOff = async () => {
      await page.getByRole('button', { name: 'Turn off' }).click();
      const sure = page.getByRole('dialog', { name: 'Turn the app off?' });
      await sure.getByRole('button', { name: 'Turn off' }).click();
    };
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await askOff();
    const recovery = question.getByRole('button', { name: 'Use a recovery code instead' });
    await recovery.click();
    await question.locator('input:focus').and(question.getByLabel('Recovery code')).waitFor();
    await question.getByRole('button', { name: 'Use a code from the app instead' }).click();
    await question.getByLabel('Code from your app').waitFor();
    await question.getByRole('button', { name: 'Close' }).click();
    const sql = connect(desk.databaseUrl(), 1);
    await sql`
      delete from recovery_codes using users where users.id = user_id and email = ${person.email}`;
    await sql.end();
    await page.reload({ waitUntil: 'networkidle' });
    await askOff();
    const field = question.getByLabel('Code from your app');
    await field.waitFor();
    assert.ok(await field.evaluate((input) => input.matches(':focus')));
    assert.equal(await recovery.count(), 0);
    await field.fill('000000');
    await question.getByRole('button', { name: 'Confirm', exact: true }).click();
    await question.locator('[aria-invalid="true"]').waitFor();
    await field.fill(await app.code());
    await question.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).waitFor();
  });

  it('begins at its button where a passkey is all there is to confirm with', async () => {
    await outdateConfirmation();
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
    const sure = page.getByRole('dialog', { name: 'Remove' });
    await sure.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const button = question.getByRole('button', { name: 'Confirm with a passkey' });
    await button.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
  });

  it('is not offered to be removed while a passkey is the only way in', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update users set password_hash = null where email = ${person.email}`;
    await sql.end();
    await page.reload({ waitUntil: 'networkidle' });
    const row = page.getByRole('listitem').filter({ hasText: 'Work laptop' });
    await row.getByText('This is your only way to sign in').waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });
});
