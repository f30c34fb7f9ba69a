/** The account page without script, and the end of an account: what holds it up, and the farewell. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';

const person = {
  name: 'Runa Aas',
  email: 'runa@example.com',
  password: 'a sentence nobody guesses',
};
const secondPassword = 'another one nobody guesses';
const patienceMs = 12_000;

describe('the account page', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newPage(true);
    await page.goto(`${desk.web}/signup`);
    await page.getByLabel('Your name').fill(person.name);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Open my account' }).click();
    await page.waitForURL(/\/(preview|exchanges)/);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  async function newPage(javaScriptEnabled: boolean): Promise<Page> {
    const viewport = { width: 390, height: 844 };
    const opened = await (await browser.newContext({ viewport, javaScriptEnabled })).newPage();
    opened.setDefaultTimeout(patienceMs);
    return opened;
  }

  const press = (of: Page, name: string) => of.getByRole('button', { name, exact: true }).click();

  it('works without script where no dialog is needed', async () => {
    const plain = await newPage(false);
    await plain.goto(`${desk.web}/signin?next=/account`);
    await plain.getByLabel('E-mail address').fill(person.email);
    await plain.getByLabel('Password', { exact: true }).fill(person.password);
    await press(plain, 'Sign in');
    await plain.waitForURL(/\/account$/);

    await plain.getByLabel('Your name').fill('Runa of the Fjord');
    await press(plain, 'Save');
    await plain.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await plain.getByLabel('Your name').inputValue(), 'Runa of the Fjord');

    await press(plain, 'Change the password');
    await plain.getByLabel('Your password', { exact: true }).fill('not the one');
    await plain.getByLabel('New password').fill(secondPassword);
    await press(plain, 'Save the new password');
    await plain.locator('input[name=current_password][aria-invalid=true]').waitFor();
    // Nothing that was typed there comes back in the page.
    assert.ok(!(await plain.content()).includes(secondPassword));
    await plain.getByLabel('Your password', { exact: true }).fill(person.password);
    await plain.getByLabel('New password').fill(secondPassword);
    await press(plain, 'Save the new password');
    await plain.getByText('Your new password counts').waitFor();

    // A letter went a moment ago, at sign-up; the next has to wait a minute.
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update users set verification_sent_at = verification_sent_at - interval '5 minutes'`;
    await sql.end();
    await press(plain, 'Change the address');
    await plain.getByLabel('New e-mail address').fill('runa.aas@example.com');
    await plain.getByLabel('Your password', { exact: true }).fill(secondPassword);
    await press(plain, 'Send a letter to the new address');
    await plain.getByText('Follow the link in the letter to runa.aas@example.com').waitFor();
    await press(plain, 'Keep the old address');
    await plain.getByText('Follow the link in the letter').waitFor({ state: 'detached' });

    // What needs a dialog cannot be pressed in vain.
    assert.ok(await plain.getByRole('button', { name: 'Turn on' }).isDisabled());
    assert.ok(await plain.getByRole('button', { name: 'Delete my account…' }).isDisabled());
    assert.ok((await plain.content()).includes('Some of this needs JavaScript'));
  });

  it('says at once that an open exchange holds up the end of the account', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    await page.goto(`${desk.web}/signin?next=/account`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(secondPassword);
    await press(page, 'Sign in');
    await page.waitForURL(/\/account$/);
    await page.getByRole('button', { name: 'Delete my account…' }).waitFor();

    const [borrowed] = await sql<{ number: string; user_id: string }[]>`
      select number, user_id from exchanges where state = 'awaiting_payment' limit 1`;
    assert.ok(borrowed);
    const { number, user_id } = borrowed;
    await sql`update exchanges set user_id = (select id from users where email = ${person.email})
      where number = ${number}`;
    await page.reload();
    await page.getByText('An exchange of yours is still open').waitFor();
    const link = page.getByRole('link', { name: number });
    assert.equal(await link.getAttribute('href'), `/exchanges/${number}`);
    assert.equal(await page.getByRole('button', { name: 'Delete my account…' }).count(), 0);
    await sql`update exchanges set user_id = ${user_id} where number = ${number}`;
    await sql.end();
  });

  it('says farewell to who has deleted the account', async () => {
    await page.goto(`${desk.web}/account`);
    await press(page, 'Delete my account…');
    await page.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
    await press(page, 'Delete my account for good');
    const heading = page.getByRole('heading', { name: 'Your account is deleted' });
    await heading.waitFor();
    assert.equal(new URL(page.url()).pathname, '/account/deleted');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor();
  });
});
