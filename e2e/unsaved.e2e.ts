/** What is typed in the console and not yet saved: it outlives a session, a connection and another tab. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Dialog, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/database.ts';
import { openOffice, type Office, withinASecond } from './office.ts';
import { newTab, newVisitor, screen, signIn } from './visitor.ts';

const secret = 'a-password-of-the-mail-server';

describe('what is typed and not yet saved', () => {
  let office: Office;
  let page: Page;
  let web: string;

  before(async () => {
    office = await openOffice();
    ({ page } = office);
    ({ web } = office.desk);
  });
  after(() => office?.close());

  const heading = (of: Page) => of.locator('[name="hero.title"]');
  const home = () => office.textOf('/');
  const shownAtHome = (words: string) => withinASecond(home, (text) => text.includes(words));
  const footer = (of: Page) => of.locator('[name="footer.note"]');
  const press = (of: Page, name: string) =>
    of.getByRole('button', { name, exact: true }).first().click();
  const saveOf = (of: Page) => press(of, 'Save changes');
  const saved = (of: Page, what = 'Home page') => of.getByText(`Saved: ${what}`).waitFor();
  const signedOut = (of: Page) => of.getByText('Not saved: you are signed out').waitFor();

  async function otherTab(path: string): Promise<Page> {
    const tab = await newTab(page.context());
    await tab.goto(web + path, { waitUntil: 'networkidle' });
    return tab;
  }

  async function endSession(): Promise<void> {
    const tab = await otherTab('/admin/settings');
    await press(tab, 'Sign out');
    await tab.waitForURL(({ pathname }) => !pathname.startsWith('/admin'));
    await tab.close();
  }

  /** In another tab, which is closed afterwards. */
  async function signInElsewhere(): Promise<void> {
    const tab = await otherTab('/signin');
    await signIn(tab, office.desk.admin);
    await tab.waitForURL(({ pathname }) => pathname.startsWith('/admin'));
    await tab.close();
  }

  const storedBy = (of: Page) =>
    of.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');

  async function chooseIn(of: Page, field: string, label: string): Promise<void> {
    const group = of.getByRole('dialog').getByRole('group', { name: field, exact: true });
    await group.getByRole('radio', { name: label }).check();
  }

  it('is there again after a new sign-in, rows of lists too, and can be saved', async () => {
    await office.openForm('home-page');
    await heading(page).fill('Typed before the session ended');
    await press(page, 'Add a question');
    await page.keyboard.type('Is this lost?');
    await endSession();
    await saveOf(page);
    await signedOut(page);
    assert.equal(await heading(page).inputValue(), 'Typed before the session ended');

    // Nobody is asked about what is not lost.
    const asked: string[] = [];
    const note = (dialog: Dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    };
    page.on('dialog', note);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/signin');
    await signIn(page, office.desk.admin);
    await page.getByText('What you typed is back').waitFor();
    assert.equal(new URL(page.url()).pathname, '/admin/settings/home-page');
    assert.equal(await heading(page).inputValue(), 'Typed before the session ended');
    await page.getByText('Unsaved changes').waitFor();
    await page.locator('[name^="faq.items."][name$=".answer"]').last().fill('No.');
    await saveOf(page);
    await saved(page);
    await page.getByText('What you typed is back').waitFor({ state: 'hidden' });
    assert.ok(!(await storedBy(page)).includes('Typed before'));
    page.off('dialog', note);
    await shownAtHome('Typed before the session ended');
    await shownAtHome('Is this lost?');
    assert.deepEqual(asked, []);
  });

  it('is there again in the forms of currencies and pairs, unless somebody saved meanwhile', async () => {
    const back = page.getByText('What you typed is back');
    for (const [path, name] of [
      ['/admin/currencies/eur', 'channel'],
      ['/admin/pairs/usd-to-eur', 'min_send'],
    ] as const) {
      const field = page.locator(`[name="${name}"]`).first();
      await page.goto(web + path, { waitUntil: 'networkidle' });
      await field.fill('7');
      await endSession();
      await saveOf(page);
      await signedOut(page);
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await page.waitForURL(({ pathname }) => pathname === '/signin');
      await signIn(page, office.desk.admin);
      await back.waitFor();
      assert.equal(await field.inputValue(), '7');
      await saveOf(page);
      await back.waitFor({ state: 'hidden' });
      await field.fill('8');
      const tab = await otherTab(path);
      await tab.locator(`[name="${name}"]`).first().fill('9');
      const saved = tab.waitForResponse((answer) => answer.request().method() !== 'GET');
      await saveOf(tab);
      assert.equal((await saved).status(), 200);
      await tab.close();
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload({ waitUntil: 'networkidle' });
      await page.getByText('What you typed is not back').waitFor();
      assert.match(await field.inputValue(), /^9/);
    }
  });

  it('is saved by another try after a sign-in elsewhere, or when the connection is back', async () => {
    await office.openForm('home-page');
    await footer(page).fill('Signed in elsewhere');
    await endSession();
    await saveOf(page);
    await signedOut(page);
    await signInElsewhere();
    await press(page, 'Try again');
    await saved(page);

    await footer(page).fill('Saved when the connection was back');
    await page.context().setOffline(true);
    await saveOf(page);
    await page.getByText('No answer: perhaps not saved').waitFor();
    await page.context().setOffline(false);
    await press(page, 'Try again');
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    await shownAtHome('Saved when the connection was back');

    const put = '**/api/admin/settings/home-page';
    await page.route(put, (route) => route.fulfill({ status: 419, json: {} }));
    await footer(page).fill('Saved with another token');
    await saveOf(page);
    await page.getByText('Not saved: this page has grown old').waitFor();
    await page.unroute(put);
    await press(page, 'Try again');
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    await shownAtHome('Saved with another token');
  });

  it('is not kept where whoever typed it says that it may be lost', async () => {
    await office.openForm('home-page');
    await footer(page).fill('Given up');
    await page.getByText('Unsaved changes').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/admin/settings');
    await page.goto(`${web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    assert.notEqual(await footer(page).inputValue(), 'Given up');
    assert.ok(!(await storedBy(page)).includes('Given up'));
  });

  it('outlives a reload, and is thrown away when it is not wanted', async () => {
    await office.openForm('home-page');
    const before = await footer(page).inputValue();
    await footer(page).fill('Typed before a reload');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await footer(page).inputValue(), 'Typed before a reload');
    await press(page, 'Throw it away');
    assert.equal(await footer(page).inputValue(), before);
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await footer(page).inputValue(), before);
  });

  it('is compared with what was saved in another tab, and both are kept as chosen', async () => {
    await office.openForm('home-page');
    const tab = await otherTab('/admin/settings/home-page');
    await heading(tab).fill('Of the other tab');
    await footer(tab).fill('Note of the other tab');
    await saveOf(tab);
    await saved(tab);
    await tab.close();

    await heading(page).fill('Of this tab');
    await footer(page).fill('Note of this tab');
    await page.locator('[name="hero.text"]').fill('Changed here alone');
    await saveOf(page);
    await page.getByText('You saved this elsewhere meanwhile').waitFor();
    await press(page, 'Compare and choose');
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByText('Changed in both places.').count(), 2);
    assert.equal(await dialog.getByText('Changed only here.').count(), 1);
    await chooseIn(page, 'Foot of every page, Small print', 'Saved elsewhere by you');
    await press(page, 'Put these into the form');
    assert.equal(await footer(page).inputValue(), 'Note of the other tab');
    await saveOf(page);
    await saved(page);
    for (const words of ['Of this tab', 'Changed here alone', 'Note of the other tab'])
      await shownAtHome(words);
  });

  it('is compared with what somebody else saved, who is named', async () => {
    const sql = connect(office.desk.databaseUrl(), 1);
    const [other] = await sql<{ name: string; email: string }[]>`
      update users set two_factor_at = null, password_hash = (
        select password_hash from users where email = ${office.desk.admin.email}
      ) where role = 'admin' and email <> ${office.desk.admin.email} returning name, email`;
    await sql.end();
    assert.ok(other);
    const theirs = await newVisitor(office.browser, { viewport: screen });
    await theirs.goto(`${web}/signin?next=/admin/settings/seo`);
    await signIn(theirs, { email: other.email, password: office.desk.admin.password });
    await office.openForm('seo');
    const title = (of: Page) => of.locator('[name="title"]');
    await title(theirs).fill('Theirs');
    await saveOf(theirs);
    await saved(theirs, 'Search engines and sharing');
    await theirs.context().close();

    await title(page).fill('Mine');
    await saveOf(page);
    await page.getByText(`${other.name} saved this meanwhile`).waitFor();
    await press(page, 'Compare and choose');
    await chooseIn(page, 'Title of the home page', `Saved by ${other.name}`);
    await press(page, 'Put these into the form');
    assert.equal(await title(page).inputValue(), 'Theirs');
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
  });

  it('stays in the page alone where it is a secret', async () => {
    await office.openForm('sign-in-providers');
    await press(page, 'Set: Google’s client secret');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(secret);
    await endSession();
    await press(page, 'Keep this secret');
    await signedOut(page);
    await dialog.getByText('has to be typed again').waitFor();
    assert.ok(!(await storedBy(page)).includes(secret));
    await signInElsewhere();
    await press(page, 'Keep this secret');
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByText(`${secret.slice(-4)}`)
      .first()
      .waitFor();
  });

  it('is kept and compared in legal pages and campaigns too', async () => {
    await page.goto(`${web}/admin/campaigns`, { waitUntil: 'networkidle' });
    await press(page, 'Write a campaign');
    await page.waitForURL(/\/admin\/campaigns\/[0-9a-f-]{36}$/);
    const campaign = new URL(page.url()).pathname;
    await page.goto(`${web}/admin/legal-pages`, { waitUntil: 'networkidle' });
    await page.locator('main a[href^="/admin/legal-pages/"]:not([href$="/new"])').first().click();
    await page.waitForURL(/\/admin\/legal-pages\/[0-9a-f-]{36}$/);
    const legal = new URL(page.url()).pathname;
    for (const [path, field, save] of [
      [campaign, 'subject', 'Save'],
      [legal, 'summary', 'Save the draft'],
    ] as const) {
      const line = (of: Page) => of.locator(`[name="${field}"]`);
      await page.goto(web + path, { waitUntil: 'networkidle' });
      const tab = await otherTab(path);
      await line(tab).fill('Of the other tab');
      const theirs = tab.waitForResponse((answer) => answer.request().method() !== 'GET');
      await press(tab, save);
      assert.equal((await theirs).status(), 200);
      await tab.close();

      await line(page).fill('Of this tab');
      await endSession();
      await press(page, save);
      await signedOut(page);
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await page.waitForURL(({ pathname }) => pathname === '/signin');
      await signIn(page, office.desk.admin);
      await page.getByText('You saved this elsewhere meanwhile').waitFor();
      assert.equal(await line(page).inputValue(), 'Of this tab');
      await press(page, 'Compare and choose');
      await press(page, 'Put these into the form');
      await press(page, save);
      await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
      await page.reload({ waitUntil: 'networkidle' });
      assert.equal(await line(page).inputValue(), 'Of this tab');
    }
  });
});
