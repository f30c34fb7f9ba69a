/** The second step of a sign-in: an app's codes, recovery codes and passkeys. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { App } from '../../support/authenticator-app.ts';
import { newCustomer, newPerson, sharedDesk, type Person } from '../../support/shared-desk.ts';
import {
  addAuthenticator,
  addPasskey,
  newVisitor,
  openAccount,
  signIn,
} from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;

/** The first step, in a browser that is signed out. */
async function beginSignIn(page: Page, person: Person): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${desk.web}/signin?next=%2Faccount`);
  await signIn(page, person);
  await page.waitForURL(/\/two-factor\?/);
}

const arrives = (page: Page) => page.waitForURL(`${desk.web}/account`);
const finish = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).click();
const recovery = (page: Page) => page.getByRole('link', { name: 'Use a recovery code instead' });
const focusedHeading = (page: Page, name: string) =>
  page.getByRole('heading', { name }).and(page.locator(':focus'));

async function changeRows(query: string): Promise<void> {
  const sql = connect(desk.databaseUrl(), 1);
  await sql.unsafe(query);
  await sql.end();
}

const deleteRecoveryCodes = ({ email }: Person) =>
  changeRows(
    `delete from recovery_codes using users where users.id = user_id and email = '${email}'`,
  );

describe('an account with an app', () => {
  let page: Page;
  let person: Person;
  let app: App;
  let codes: string[] = [];

  /** As if the customer had last confirmed who they are eleven minutes ago. */
  const outdateConfirmation = () =>
    changeRows(`update sessions set confirmed_at = confirmed_at - interval '11 minutes'
      from users where users.id = user_id and email = '${person.email}'`);

  before(async () => {
    ({ page, ...person } = await newCustomer(shared, 'Ilse Brandt'));
    await addAuthenticator(page);
  });

  it('The customer turns it on with the first code, and sees the recovery codes once', async () => {
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
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
    codes = await dialog.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(codes).size, 10);
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
    await focusedHeading(page, 'Second step').waitFor();
    await page.reload();
    await page.getByText('10 of 10 are left.').waitFor();
    assert.ok(!(await page.content()).includes(codes[0]!));
  });

  it('The sign-in asks for the app’s code after the right password', async () => {
    await beginSignIn(page, person);
    await page.getByText(`Signing in as ${person.email}.`).waitFor();
    const code = page.getByLabel('Code from your app');
    assert.equal(await code.getAttribute('autocomplete'), 'one-time-code');
    await code.fill('000000');
    await finish(page);
    await page.getByText('This code is not right').waitFor();
    await code.fill(await app.code());
    await finish(page);
    await arrives(page);
    // The page of the second step leads on when it is opened again.
    await page.goBack();
    await arrives(page);
  });

  it('The sign-in takes a recovery code once, without script too', async () => {
    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    for (const isFresh of [true, false]) {
      await beginSignIn(plain, person);
      await recovery(plain).click();
      await plain.getByLabel('Recovery code').fill(codes[0]!);
      await finish(plain);
      if (isFresh) await arrives(plain);
      else await plain.locator('[aria-invalid="true"]').waitFor();
    }
    assert.match(plain.url(), /\/two-factor\?/);
  });

  it('The sign-in takes a passkey as its second step, and alone', async () => {
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await addPasskey(page, 'Work laptop');
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).waitFor();
    await beginSignIn(page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await arrives(page);
    await page.context().clearCookies();
    await page.goto(`${desk.web}/signin?next=%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await arrives(page);
  });

  it('The account asks for the second step before a new password, once the confirmation is old', async () => {
    await outdateConfirmation();
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByLabel('Your password', { exact: true }).fill(person.password);
    await page.getByLabel('New password').fill('another sentence nobody guesses');
    await page.getByRole('button', { name: 'Save the new password' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByText('Your password has been changed').waitFor();
  });

  it('The account asks for a code before the app is turned off', async () => {
    await outdateConfirmation();
    await deleteRecoveryCodes(person);
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Turn off' }).click();
    const sure = page.getByRole('dialog', { name: 'Turn the app off?' });
    await sure.getByRole('button', { name: 'Turn off' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const field = question.getByLabel('Code from your app');
    await field.and(page.locator(':focus')).waitFor();
    const other = question.getByRole('button', { name: 'Use a recovery code instead' });
    assert.equal(await other.count(), 0, 'No recovery code is left.');
    await field.fill('000000');
    await question.getByRole('button', { name: 'Confirm', exact: true }).click();
    await question.locator('[aria-invalid="true"]').waitFor();
    await field.fill(await app.code());
    await question.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).waitFor();

    // Without a password the passkey is the only way in, and cannot be removed.
    await changeRows(`update users set password_hash = null where email = '${person.email}'`);
    await page.reload({ waitUntil: 'networkidle' });
    const row = page.getByRole('listitem').filter({ hasText: 'Work laptop' });
    await row.getByText('This is your only way to sign in').waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });
});

describe('an account with a passkey and no app', () => {
  const person = newPerson('Bo Lind');

  before(async () => {
    const page = await newVisitor(browser);
    await openAccount(page, desk, person, ['passkey']);
    await page.context().close();
  });

  it('The second step begins with the passkey, and allows five wrong recovery codes', async () => {
    const page = await newVisitor(browser);
    await beginSignIn(page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    await recovery(page).click();
    for (let tried = 0; tried < 5; tried += 1) {
      const refused = page.waitForResponse((response) => response.status() === 422);
      await page.getByLabel('Recovery code').fill('abcd-efgh-jkmn');
      await finish(page);
      await refused;
    }
    await focusedHeading(page, 'Please sign in again').waitFor();

    // A browser that can use no passkey reads so, and what is left.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    const none = page.getByText('This browser can’t use passkeys');
    await beginSignIn(page, person);
    await none.waitFor();
    assert.equal(await page.getByRole('textbox').count(), 1);
    await deleteRecoveryCodes(person);
    await page.reload();
    await none.waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0);
  });
});
