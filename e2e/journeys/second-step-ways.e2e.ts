/** By which ways the second step is asked for: those of the account whose sign-in waits, in this browser. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../apps/api/src/platform/database.ts';
import { newPerson, sharedDesk } from '../shared-desk.ts';
import { lookAgain, newTab, newVisitor, openAccount, signIn, signUp } from '../visitor.ts';

const { desk, browser } = await sharedDesk();
/** Has a passkey on a device of their own, and no app. */
const bo = newPerson('Bo Lind');
/** Has an app, and a passkey too. */
const ada = newPerson('Ada Roth');
/** Have none. */
const [eva, finn] = [newPerson('Eva'), newPerson('Finn')];
const [gus, hana] = [newPerson('Gus'), newPerson('Hana')];

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
    await as.waitForURL(/\/two-factor\?next=%2Faccount&person=[\w-]+$/);
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
    await plain.locator('noscript').getByRole('link', { name: 'write to the desk' }).waitFor();
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

  it('never become those of who began since in another tab, but on a page that is loaded anew, which says whose', async () => {
    const visitor = await newVisitor(browser);
    await beginSignIn(visitor, ada);
    await visitor.getByText(`You sign in as ${ada.email}.`).waitFor();
    await visitor.getByLabel('Code from your app').focus();
    const tab = await newTab(visitor.context());
    await beginSignIn(tab, bo);
    const over = visitor.getByRole('heading', { name: 'Please sign in again' });
    for (const again of ['once', 'twice']) {
      await lookAgain(visitor);
      await over.and(focused(visitor)).waitFor();
      assert.equal(await visitor.getByRole('button', { name: 'Use a passkey' }).count(), 0, again);
    }
    await beginSignIn(tab, ada);
    await lookAgain(visitor);
    await visitor.getByLabel('Code from your app').waitFor();
    await beginSignIn(tab, bo);
    await visitor.reload();
    await visitor.getByText(`You sign in as ${bo.email}.`).waitFor();
    await visitor.context().close();
  });

  it('give way to who is signed in since in another tab, and say who it is', async () => {
    const visitor = await newVisitor(browser);
    for (const isSent of [false, true]) {
      await beginSignIn(visitor, ada);
      const code = visitor.getByLabel('Code from your app');
      await code.fill('000000');
      const tab = await newTab(visitor.context());
      await tab.context().clearCookies();
      await tab.goto(`${desk.web}/signup?next=%2Faccount`);
      await signUp(tab, isSent ? gus : hana);
      await tab.waitForURL(`${desk.web}/account`);
      if (isSent) await visitor.keyboard.press('Enter');
      else await lookAgain(visitor);
      await visitor
        .getByRole('heading', { name: 'Please sign in again' })
        .and(focused(visitor))
        .waitFor();
      const { email } = isSent ? gus : hana;
      await visitor.getByText(`${email} is signed in here now.`).waitFor();
      assert.equal(new URL(visitor.url()).pathname, '/two-factor');
      await tab.close();
    }
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

  it('take no proof without script that was meant for whoever began before', async () => {
    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    await beginSignIn(plain, bo);
    await recovery(plain).click();
    const tabs = await Promise.all([1, 2, 3, 4, 5].map(() => newTab(plain.context())));
    for (const tab of tabs) await tab.goto(plain.url());
    const late = await newTab(plain.context());
    await late.goto(`${desk.web}/signin?next=%2Faccount`);
    await signIn(late, ada);
    await late.getByLabel('Code from your app').waitFor();
    for (const tab of tabs) {
      await tab.getByLabel('Recovery code').fill('abcd-efgh-jkmn');
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
      await tab.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    }
    await plain.getByRole('button', { name: 'Begin again' }).click();
    await plain.waitForURL(`${desk.web}/signin?next=%2Faccount`);
    await late.getByLabel('Code from your app').fill('000000');
    await late.getByRole('button', { name: 'Sign in', exact: true }).click();
    await late.getByText('This code is not right').waitFor();
    await plain.context().close();
  });

  it('and what signs in or up without script, are dropped for nobody who has come in meanwhile', async () => {
    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    await beginSignIn(plain, ada);
    const tabs = await Promise.all([1, 2, 3, 4].map(() => newTab(plain.context())));
    const [late, fresh, quick, again] = tabs;
    assert.ok(late && fresh && quick && again);
    const stepAddress = plain.url();
    await again.goto(stepAddress);
    await late.goto(`${desk.web}/signin?next=%2Faccount`);
    for (const tab of [fresh, quick]) await tab.goto(`${desk.web}/signup?next=%2Faccount`);
    await signUp(quick, eva);
    await quick.waitForURL(`${desk.web}/account`);

    await plain.getByLabel('Code from your app').fill('000000');
    await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
    await plain.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    await plain.getByText(`${eva.email} is signed in here now.`).waitFor();
    await again.getByRole('button', { name: 'Begin again' }).click();
    await again.waitForURL(stepAddress);
    await again.getByText(`${eva.email} is signed in here now.`).waitFor();
    // Loaded anew, and by the address of another way, it says so too.
    for (const address of [stepAddress, `${stepAddress}&by=recovery_code`]) {
      await again.goto(address);
      await again.getByText(`${eva.email} is signed in here now.`).waitFor();
    }

    await signUp(fresh, finn);
    await fresh.waitForURL(`${desk.web}/account`);
    assert.equal(await fresh.getByLabel('Your name').inputValue(), finn.name);
    await signIn(late, { ...ada, password: 'not what Ada chose' });
    await late.getByText('The e-mail address or the password is not right').waitFor();
    await signIn(late, eva);
    await late.waitForURL(`${desk.web}/account`);
    assert.equal(await late.getByLabel('Your name').inputValue(), eva.name);

    // Pressed twice, a form that let its owner in leads on.
    const made_for = await late.locator('[name=made_for]').first().inputValue();
    for (const [path, form] of [
      ['/signup', eva],
      ['/two-factor', { made_for, code: '000000' }],
    ] as const) {
      const twice = await plain.request.post(`${desk.web}${path}?next=%2Faccount`, {
        form,
        headers: { origin: desk.web, accept: 'text/html' },
        maxRedirects: 0,
      });
      assert.deepEqual([twice.status(), twice.headers()['location']], [303, '/account']);
    }
    await plain.context().close();
  });

  it('are asked for by what this browser can do, and by what is left', async () => {
    const visitor = await newVisitor(browser);
    await visitor.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    const none = visitor.getByText('No passkey can be used in this browser');
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
