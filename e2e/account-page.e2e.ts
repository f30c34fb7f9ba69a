/** The account page without script, and the end of an account: what holds it up, and the farewell. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { signIn, signUp } from './visitor.ts';

const person = {
  name: 'Runa Aas',
  email: 'runa@example.com',
  password: 'a sentence nobody guesses',
};
const secondPassword = 'another one nobody guesses';
const thirdPassword = 'a third that nobody guesses';
const patienceMs = 12_000;

describe('the account page', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  /** The one that counts now. */
  let { password } = person;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newPage(true);
    await page.goto(`${desk.web}/signup`);
    await signUp(page, person);
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

  /** In a browser that is signed out. */
  async function signInTo(as: Page, next: string): Promise<void> {
    await as.context().clearCookies();
    await as.goto(`${desk.web}/signin?next=${encodeURIComponent(next)}`, {
      waitUntil: 'networkidle',
    });
    await signIn(as, { email: person.email, password });
    await as.waitForURL(({ pathname }) => pathname === next.split('?')[0]);
  }

  async function setSecondStep(since: Date | null): Promise<void> {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update users set two_factor_at = ${since} where email = ${person.email}`;
    await sql.end();
  }

  /** As if everybody had confirmed who they are too long ago. */
  async function makeStale(): Promise<void> {
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update sessions set confirmed_at = confirmed_at - interval '11 minutes'`;
    await sql.end();
  }

  it('works without script where no dialog is needed', async () => {
    const plain = await newPage(false);
    await signInTo(plain, '/account');

    await plain.getByLabel('Your name').fill('Runa of the Fjord');
    await press(plain, 'Save');
    await plain.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await plain.getByLabel('Your name').inputValue(), 'Runa of the Fjord');

    await press(plain, 'Change the password');
    await plain.getByLabel('Your password', { exact: true }).fill('not the one');
    await plain.getByLabel('New password').fill(secondPassword);
    await press(plain, 'Save the new password');
    const refused = plain.locator('input[name=current_password][aria-invalid=true]');
    await refused.waitFor();
    // Far down the page, it is in view.
    const { y = 0 } = (await refused.boundingBox()) ?? {};
    assert.ok(y > 0 && y < 800, `${y}`);
    // Nothing that was typed there comes back in the page.
    assert.ok(!(await plain.content()).includes(secondPassword));
    await plain.getByLabel('Your password', { exact: true }).fill(person.password);
    await plain.getByLabel('New password').fill(secondPassword);
    await press(plain, 'Save the new password');
    await plain.getByText('Your password has been changed').waitFor();
    password = secondPassword;

    // A letter went a moment ago, at sign-up; the next has to wait a minute.
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update users set verification_sent_at = verification_sent_at - interval '5 minutes'`;
    await sql.end();
    await press(plain, 'Change the address');
    await plain.getByLabel('New e-mail address').fill('runa.aas@example.com');
    await plain.getByLabel('Your password', { exact: true }).fill(secondPassword);
    await press(plain, 'Send an email to the new address');
    await plain.getByText('Open the link we emailed to runa.aas@example.com. Until').waitFor();
    // The reminder above names the address that the letter went to, and leads to the form.
    const reminder = plain.getByRole('complementary', { name: 'E-mail address not confirmed' });
    await reminder.getByText('the link we emailed to runa.aas@example.com').waitFor();
    await reminder.getByRole('link', { name: 'Change the address' }).click();
    await plain.getByLabel('New e-mail address').waitFor();
    await makeStale();
    await press(plain, 'Keep the old address');
    await plain.getByText('Until then nothing changes.').waitFor({ state: 'detached' });

    // What needs a dialog cannot be pressed in vain.
    assert.ok(await plain.getByRole('button', { name: 'Turn on' }).isDisabled());
    assert.ok(await plain.getByRole('button', { name: 'Delete my account…' }).isDisabled());
    assert.ok((await plain.content()).includes('Some of this page needs JavaScript'));
  });

  it('leads on without script where a confirmation is needed', async () => {
    const plain = await newPage(false);
    await signInTo(plain, '/account');
    const save = async () => {
      await plain.getByLabel('Your password', { exact: true }).fill(password);
      await plain.getByLabel('New password').fill(thirdPassword);
      await press(plain, 'Save the new password');
    };
    await press(plain, 'Change the password');
    await setSecondStep(new Date());
    await makeStale();
    await save();
    await plain.getByText('Sign out and in again, then do this within ten minutes').waitFor();
    await setSecondStep(null);
    await press(plain, 'Sign out and continue');
    await plain.waitForURL(/\/signin\?/);
    await signIn(plain, { email: person.email, password });
    await plain.waitForURL(/\/account\?change=password/);
    await save();
    password = thirdPassword;
    await plain.getByText('Your password has been changed').waitFor();
    await plain.reload();
    assert.equal(await plain.getByText('Your password has been changed').count(), 0);
    await plain.context().close();
  });

  it('takes a session for ended that another tab has ended', async () => {
    const plain = await newPage(false);
    const elsewhere = [await newPage(false), await newPage(false)];
    for (const each of [page, plain, ...elsewhere]) await signInTo(each, '/account');
    const sql = connect(desk.databaseUrl(), 1);
    for (const [each, said] of [
      [page, 'That session had already ended'],
      [plain, 'Ended. You’re only signed in where'],
    ] as const) {
      await each.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
      const form = each.locator('form[action^="?/session#"]').last();
      const id = await form.locator('input[name=id]').inputValue();
      await sql`delete from sessions where id = ${id}`;
      // Sessions of one kind of device are told apart by where and when they were used.
      const name = /^End the session of .+ (127\.0\.0\.1|::1) · last used .+ since \S/;
      await form.getByRole('button', { name }).click();
      await each.getByText(said).waitFor();
      assert.equal(await each.locator(`input[value="${id}"]`).count(), 0);
    }
    await sql.end();
    for (const each of [plain, ...elsewhere]) await each.context().close();
  });

  it('says beside a session that it could not be ended, and goes on to the next one', async () => {
    const elsewhere = await Promise.all([1, 2].map(() => newPage(false)));
    for (const each of [...elsewhere, page]) await signInTo(each, '/account');
    const rows = page.locator('#sessions li').filter({ has: page.locator('form') });
    const before = await rows.count();
    const [one, next] = [rows.nth(before - 2), rows.nth(before - 1)];
    const sessionOf = (row: typeof one) => row.locator('input[name=id]').inputValue();
    const kept = await sessionOf(next);
    await page.route('**/api/user/sessions/*', (route) => route.abort());
    await one.getByRole('button').click();
    await one.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    await page.unroute('**/api/user/sessions/*');
    await one.getByRole('button').click();
    await page.getByText('The session has ended').waitFor();
    await page.locator('#sessions button:focus').waitFor();
    const focused = page.locator('#sessions li').filter({ has: page.locator(':focus') });
    assert.equal(await sessionOf(focused), kept);
    await press(page, 'End all other sessions');
    await page.locator('#sessions h2:focus').waitFor();
    for (const each of elsewhere) await each.context().close();
  });

  it('says of nothing that it was done which was not', async () => {
    await signInTo(page, '/account');
    for (const part of ['password', 'email', 'sessions']) {
      await page.goto(`${desk.web}/account?done=${part}`);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      assert.equal(await page.locator('main [role=status]', { hasText: /\S/ }).count(), 0, part);
    }
  });

  it('goes on to addresses in any writing', async () => {
    const plain = await newPage(false);
    const next = '/rates?q=€ é';
    await signInTo(plain, next);
    await plain.waitForURL(/\/rates\?q=%E2%82%AC%20%C3%A9$/);
    const again = await plain.goto(`${desk.web}/signin?next=${encodeURIComponent(next)}`);
    assert.equal(again?.status(), 200);
    assert.match(plain.url(), /\/rates\?q=%E2%82%AC%20%C3%A9$/);
    await plain.context().close();
  });

  it('keeps where the person was going when the letter was asked for too soon, without script', async () => {
    const plain = await newPage(false);
    const going = '/preview?side=send&amount=321';
    const email = 'vigdis@example.com';
    await plain.goto(`${desk.web}/signup?next=${encodeURIComponent(going)}`);
    await signUp(plain, { name: 'Vigdis Berg', email, password: person.password });
    await plain.waitForURL(/\/preview\?/);
    await plain.getByRole('button', { name: 'Send the email again' }).first().click();
    await plain.getByText('We didn’t send another email yet').first().waitFor();
    assert.match(plain.url(), /\/account\?\/resend$/);
    const kept = plain.locator('form[action*="resend"] input[name=next]').first();
    assert.match(await kept.inputValue(), /amount=321/);
    const sql = connect(desk.databaseUrl(), 1);
    const [row] = await sql<{ verification_next: string }[]>`
      select verification_next from users where email = ${email}`;
    assert.match(row?.verification_next ?? '', /amount=321/);
    await sql.end();
    await plain.context().close();
  });

  it('says at once that an open exchange holds up the end of the account', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    await signInTo(page, '/account');
    await page.getByRole('button', { name: 'Delete my account…' }).waitFor();

    const [borrowed] = await sql<{ number: string; user_id: string }[]>`
      select number, user_id from exchanges where state = 'awaiting_payment' limit 1`;
    assert.ok(borrowed);
    const { number, user_id } = borrowed;
    await sql`update exchanges set user_id = (select id from users where email = ${person.email})
      where number = ${number}`;
    await page.reload();
    await page.getByText('You still have an open exchange').waitFor();
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
