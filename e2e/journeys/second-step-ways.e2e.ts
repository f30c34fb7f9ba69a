/** By which ways the second step is asked for: those of the account whose sign-in waits, in this browser. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../apps/api/src/platform/db/database.ts';
import { newPerson, sharedDesk } from '../shared-desk.ts';
import { lookAgain, newTab, newVisitor, openAccount, signIn, signUp } from '../visitor.ts';

const { desk, browser } = await sharedDesk();
/** Has a passkey on a device of their own, and no app. */
const bo = newPerson('Bo Lind');
/** Has an app, and a passkey too. */
const ada = newPerson('Ada Roth');
/** Has none. */
const gus = newPerson('Gus');

describe('the ways of the second step', () => {
  before(async () => {
    for (const [person, factors] of [
      [bo, ['passkey']],
      [ada, ['app', 'passkey']],
    ] as const) {
      const page = await newVisitor(browser);
      await openAccount(page, desk, person, factors);
      await page.context().close();
    }
  });

  /** The first step, in a browser that is signed out. */
  async function beginSignIn(as: Page, who: typeof bo): Promise<void> {
    await as.context().clearCookies();
    await as.goto(`${desk.web}/signin?next=%2Faccount`);
    await signIn(as, who);
    await as.waitForURL(`${desk.web}/two-factor?next=%2Faccount`);
  }

  async function forgetCodes({ email }: typeof bo): Promise<void> {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`delete from recovery_codes using users where users.id = user_id and email = ${email}`;
    await sql.end();
  }

  const focused = (page: Page) => page.locator(':focus');
  const recovery = (page: Page) => page.getByRole('link', { name: 'Use a recovery code instead' });

  it('begin with the passkey where there is no app, and have the recovery code behind a link, for five tries', async () => {
    const visitor = await newVisitor(browser);
    await beginSignIn(visitor, bo);
    await visitor.getByRole('button', { name: 'Use a passkey' }).waitFor();
    assert.equal(await visitor.getByRole('textbox').count(), 0);
    await recovery(visitor).click();
    const code = visitor.getByLabel('Recovery code');
    for (let tried = 0; tried < 5; tried += 1) {
      const refused = visitor.waitForResponse((response) => response.status() === 422);
      await code.fill('abcd-efgh-jkmn');
      await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
      await refused;
    }
    await visitor
      .getByRole('heading', { name: 'Please sign in again' })
      .and(focused(visitor))
      .waitFor();
    await visitor.context().close();

    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    await beginSignIn(plain, bo);
    await recovery(plain).waitFor();
    assert.equal(await plain.getByText('Use a passkey', { exact: true }).boundingBox(), null);
    await plain.locator('noscript').getByRole('link', { name: 'Write to the desk' }).waitFor();
    await plain.context().close();
  });

  it('are of whoever began last, on a page that comes back too', async () => {
    // Without script the page of each sign-in stays in the history.
    for (const [javaScriptEnabled, steps] of [
      [true, 2],
      [false, 3],
    ] as const) {
      const visitor = await newVisitor(browser, { javaScriptEnabled });
      await beginSignIn(visitor, bo);
      await beginSignIn(visitor, ada);
      await visitor.getByLabel('Code from your app').waitFor();
      await visitor.goto(`${desk.web}/signup`);
      await beginSignIn(visitor, bo);
      for (let step = 0; step < steps; step += 1) await visitor.goBack();
      await recovery(visitor).waitFor();
      assert.equal(await visitor.getByLabel('Code from your app').count(), 0);
      await visitor.context().close();
    }
  });

  it('are of whoever began last in another tab, once the page is looked at again', async () => {
    const visitor = await newVisitor(browser);
    await beginSignIn(visitor, ada);
    await visitor.getByText(`Signing in as ${ada.email}.`).waitFor();
    await visitor.getByLabel('Code from your app').focus();
    const tab = await newTab(visitor.context());
    await beginSignIn(tab, bo);
    await lookAgain(visitor);
    await visitor.getByText(`Signing in as ${bo.email}.`).waitFor();
    await visitor.getByRole('heading', { name: 'The second step' }).and(focused(visitor)).waitFor();
    await visitor.context().close();
  });

  it('give way to the page of who has signed in since in another tab', async () => {
    const visitor = await newVisitor(browser);
    await beginSignIn(visitor, ada);
    const tab = await newTab(visitor.context());
    await tab.context().clearCookies();
    await tab.goto(`${desk.web}/signup?next=%2Faccount`);
    await signUp(tab, gus);
    await tab.waitForURL(`${desk.web}/account`);
    await lookAgain(visitor);
    await visitor.waitForURL(`${desk.web}/account`);
    await visitor.context().close();
  });

  it('are said anew with the refusal of one that is gone', async () => {
    const visitor = await newVisitor(browser);
    await beginSignIn(visitor, ada);
    await recovery(visitor).click();
    await visitor.getByLabel('Recovery code').fill('abcd-efgh-jkmn');
    await forgetCodes(ada);
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.getByLabel('Code from your app').waitFor();
    await visitor.getByRole('alert').getByText('This recovery code is not right').waitFor();
    await visitor.getByRole('heading', { name: 'The second step' }).and(focused(visitor)).waitFor();
    await visitor.getByLabel('Code from your app').fill('000000');
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.getByText('This code is not right').waitFor();
    assert.equal(await visitor.getByText('This recovery code is not right').count(), 0);
    await visitor.context().close();
  });

  it('are asked for by what this browser can do, and by what is left', async () => {
    const visitor = await newVisitor(browser);
    await visitor.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    const none = visitor.getByText('This browser can’t use passkeys');
    await beginSignIn(visitor, ada);
    await visitor.getByLabel('Code from your app').waitFor();
    assert.equal(await none.count(), 0);

    await beginSignIn(visitor, bo);
    await none.waitFor();
    assert.equal(await visitor.getByRole('textbox').count(), 1);
    await forgetCodes(bo);
    await visitor.reload();
    await none.waitFor();
    assert.equal(await visitor.getByRole('textbox').count(), 0);
    assert.equal(await visitor.getByRole('button', { name: 'Use a passkey' }).count(), 0);
    await visitor.context().close();
  });
});
