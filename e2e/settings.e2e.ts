/** An operator sets the desk up in the browser: mail, a provider, the home page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { openLetterBox, type LetterBox } from './letter-box.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';

const secret = 'GOCSPX-of-a-journey-9f3a';

describe('the settings in the console', () => {
  let box: LetterBox;
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    box = await openLetterBox();
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newVisitor(browser, { viewport: screen });
    await signInAsAdmin(page, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
    await box?.close();
  });

  const save = (of: Page) => of.getByRole('button', { name: 'Save changes' }).click();
  const headingOf = (of: Page) => of.locator('[name="hero.title"]');

  it('name a mail server, by which a test email is sent', async () => {
    const { hostname, port } = new URL(box.url);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    // The console has a link of that name on every page.
    await page.waitForURL('**/admin/settings');
    await page.getByRole('link', { name: 'Emails', exact: true }).last().click();
    await page.getByLabel('Server name').fill(hostname);
    await page.getByLabel('Port').fill(port);
    await page.getByLabel('Encryption').selectOption('none');
    await page.getByLabel('Sender address').fill('not an address');
    await save(page);
    await page.getByText('“Sender address” cannot be read as it is written.').first().waitFor();
    await page.getByLabel('Sender address').fill('desk@cambist.example');
    await save(page);
    await page.getByText('Last saved').waitFor();

    await page.getByRole('link', { name: 'Send a test email' }).click();
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page.getByRole('button', { name: 'Send the test email' }).click();
    await page.getByText('The server has accepted the email').waitFor();
    await box.read(desk.admin.email, /./);
  });

  it('open sign-in with a provider to who confirms first who they are', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update sessions set confirmed_at = confirmed_at - interval '1 hour'`;
    await sql.end();
    await page.goto(`${desk.web}/admin/settings/sign-in-providers`, { waitUntil: 'networkidle' });
    await page.getByText(`${desk.api}/api/auth/google/callback`, { exact: true }).waitFor();
    await page.getByLabel('Client ID').fill('desk.apps.example.com');
    await page.getByRole('switch').first().check();
    await save(page);
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByRole('textbox').first().fill(desk.admin.password);
    await question.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('The client secret below is missing.').waitFor();

    await page.getByRole('button', { name: 'Set: Google client secret' }).click();
    await page.getByRole('textbox', { name: 'Google client secret' }).fill(`${secret}\n`);
    await page.getByRole('button', { name: 'Save the secret' }).click();
    await page.getByText('Its button is shown on the sign-in pages.').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    assert.ok((await page.getByText(/ends in/).innerText()).includes(secret.slice(-4)));

    const guest = await newVisitor(browser);
    await guest.goto(`${desk.web}/signin`);
    await guest
      .getByText(/Google/)
      .first()
      .waitFor();
    await guest.context().close();
  });

  it('put a question of the home page first by keyboard alone', async () => {
    await page.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Add a question' }).press('Enter');
    await page.keyboard.type('Do you open on Sundays?');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Yes, from ten to four.');
    const up = page.getByRole('button', { name: 'Move up: Do you open on Sundays?' });
    for (let steps = 0; await up.isEnabled(); steps += 1) {
      assert.ok(steps < 30);
      await up.focus();
      await page.keyboard.press('Enter');
    }
    const focused = await page.evaluate<string>('document.activeElement.ariaLabel');
    assert.equal(focused, 'Move up: Do you open on Sundays?');
    assert.equal(
      await page.locator('[name="faq.items.0.question"]').inputValue(),
      'Do you open on Sundays?',
    );
    await save(page);
    await page.getByText('Saved: Home page').waitFor();

    await page.goto(desk.web);
    const questions = await page.locator('main').innerText();
    assert.ok(questions.includes('Do you open on Sundays?'));
  });

  it('keep what is typed while they are saved', async () => {
    await page.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    const unsaved = page.getByText('Unsaved changes');
    const note = page.locator('[name="footer.note"]');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/admin/settings/home-page', async (route) => {
      await held.promise;
      await route.continue();
    });
    await headingOf(page).fill('Money, while it is saved.');
    await save(page);
    await note.fill('Typed meanwhile.');
    held.resolve();
    await page.getByText('Saved: Home page').waitFor();
    await unsaved.waitFor();
    await page
      .getByRole('button', { name: 'Save changes' })
      .and(page.locator(':enabled'))
      .waitFor();
    assert.equal(await note.inputValue(), 'Typed meanwhile.');
    await page.unroute('**/api/admin/settings/home-page');
    await save(page);
    await unsaved.waitFor({ state: 'hidden' });
    await page.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    assert.equal(await headingOf(page).inputValue(), 'Money, while it is saved.');
    assert.equal(await note.inputValue(), 'Typed meanwhile.');
  });

  it('ask the second of two admins to reload or to overwrite', async () => {
    await page.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    const other = await page.context().newPage();
    await other.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    await headingOf(other).fill('Money, changed.');
    await save(other);
    await other.getByText('Saved: Home page').waitFor();
    await other.close();

    await headingOf(page).fill('Mine');
    await save(page);
    const dialog = page.getByRole('dialog', { name: /saved this at/ });
    await dialog.getByRole('button', { name: 'Not now' }).click();
    assert.equal(await headingOf(page).inputValue(), 'Mine');
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (question) => {
        resolve(question.message());
        void question.dismiss();
      });
    });
    await page.getByRole('link', { name: 'Back to the list' }).click();
    assert.match(await asked, /without saving/);
    await page.getByRole('button', { name: 'Reload or overwrite' }).click();
    await dialog.getByRole('button', { name: 'Reload', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await headingOf(page).inputValue(), 'Money, changed.');
  });

  it('restore unsaved changes after a reload, and an earlier revision from the list', async () => {
    await headingOf(page).fill('Typed before the reload.');
    page.once('dialog', (question) => void question.accept());
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByText('Your unsaved changes were restored').waitFor();
    assert.equal(await headingOf(page).inputValue(), 'Typed before the reload.');
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await headingOf(page).inputValue(), 'Money, changed.');

    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByRole('link', { name: 'Revision 1', exact: false }).last().click();
    await page.getByRole('heading', { name: 'Revision 1 and the present' }).waitFor();
    assert.match(await page.locator('ins').first().innerText(), /Money|changed/);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(/\/admin\/settings\/home-page$/);
    assert.notEqual(await headingOf(page).inputValue(), 'Money, changed.');
  });

  it('save no password for a mail server that was replaced meanwhile', async () => {
    const path = `${desk.web}/admin/settings/mail`;
    await page.goto(path, { waitUntil: 'networkidle' });
    const set = page.getByRole('button', { name: 'Set: Mail server password' });
    await page.getByLabel('Sender name').fill('Typed, not saved');
    assert.ok(await set.isDisabled());
    await page.getByLabel('Sender name').fill('');
    const other = await page.context().newPage();
    await other.goto(path, { waitUntil: 'networkidle' });
    await other.getByLabel('Server name').fill('mail.example.org');
    await other.getByLabel('Encryption').selectOption('tls');
    await save(other);
    await other.getByText('Saved: Emails').waitFor();

    const give = async (password: string) => {
      await set.click();
      await page.getByRole('textbox', { name: 'Mail server password' }).fill(password);
      await page.getByRole('button', { name: 'Save the secret' }).click();
    };
    await give('only for the old one');
    await page.getByText('The secret was not saved').waitFor();
    assert.ok(!(await page.content()).includes('only for the old one'));

    await page.goto(path, { waitUntil: 'networkidle' });
    assert.equal(await page.getByLabel('Server name').inputValue(), 'mail.example.org');
    await give('for the new one');
    await page.getByText('Secret saved').waitFor();

    // Another server must not receive it.
    await other.reload({ waitUntil: 'networkidle' });
    await other.getByLabel('Server name').fill('mail.example.net');
    await save(other);
    await other.getByText('Saved: Emails').waitFor();
    await other.getByRole('button', { name: 'Set: Mail server password' }).waitFor();
    await other.close();
  });
});
