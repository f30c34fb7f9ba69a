/** What the console says before something is done that its admin would regret, and where the keyboard goes after. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page, Response } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';

const patienceMs = 12_000;

describe('the console', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    // No server listens there: every email fails.
    const environment = { MAIL_URL: 'smtp://127.0.0.1:9' };
    [desk, browser] = await Promise.all([startDesk({ environment }), openBrowser()]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 1100 } });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${desk.web}/signin`);
    await page.getByLabel('E-mail address').fill(desk.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/admin/);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const focused = () => page.evaluate<string>('document.activeElement.innerText');

  it('warns an admin without a second step before demanding it of all', async () => {
    await page.goto(`${desk.web}/admin/settings/security`, { waitUntil: 'networkidle' });
    const warning = page.getByText('You have no second step yourself');
    const choice = page.getByLabel('Second step for admins');
    assert.equal(await warning.count(), 0);
    await choice.selectOption('on');
    await warning.waitFor();
    await button('Save changes').click();
    await page.getByText('Your own account has no second step yet.').first().waitFor();
    // The field says so now, and how to go on stays beside it.
    assert.equal(await warning.count(), 0);
    assert.equal((await page.request.get(`${desk.web}/admin/settings/security`)).status(), 200);

    // The bar stands at the end of the window, also under a form as short as this.
    const bar = await page.locator('.save-bar').boundingBox();
    assert.ok(bar !== null && Math.abs(bar.y + bar.height - 1100) <= 1, JSON.stringify(bar));

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Set up my second step' }).click();
    await page.getByRole('link', { name: 'Back to where you were' }).click();
    await page.waitForURL(/\/admin\/settings\/security$/);
    assert.equal(await choice.inputValue(), 'default');
  });

  it('fetches what a page needs from where it lies, whatever page one comes from', async () => {
    await page.goto(`${desk.web}/admin/settings/mail`, { waitUntil: 'networkidle' });
    const refused: string[] = [];
    const note = (answer: Response) => answer.status() >= 400 && refused.push(answer.url());
    page.on('response', note);
    await page.getByRole('link', { name: 'To the site' }).first().click();
    await page.waitForURL(`${desk.web}/`);
    await page.waitForLoadState('networkidle');
    page.off('response', note);
    assert.deepEqual(refused, []);
  });

  it('gives the console to nobody whose address is not confirmed, and says so before', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    const [person] = await sql<{ id: string; email: string }[]>`
      update users set email_verified_at = null
      where id = (select id from users where role = 'user' and deleted_at is null limit 1)
      returning id, email`;
    await page.goto(`${desk.web}/admin/users/${person?.id}`, { waitUntil: 'networkidle' });
    await page.getByText(`${person?.email} is not confirmed, so it is not known`).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Admin' }).isDisabled());
    await sql`update users set email_verified_at = now() where id = ${person?.id ?? ''}`;
    await page.reload({ waitUntil: 'networkidle' });
    assert.ok(await page.getByRole('radio', { name: 'Admin' }).isEnabled());
    await sql.end();
  });

  it('asks before permissions change, and says what is gained and lost', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    const [other] = await sql<{ id: string }[]>`
      select id from users where role = 'admin' and email <> ${desk.admin.email}`;
    await page.goto(`${desk.web}/admin/users/${other?.id}`, { waitUntil: 'networkidle' });
    const had = await sql<
      { permissions: string[] }[]
    >`select permissions from users where id = ${other?.id ?? ''}`;
    await page.getByRole('checkbox', { name: 'Money' }).uncheck();
    await button('Save the role').click();
    const question = page.getByRole('dialog', { name: /^Change what .+ may do\?$/ });
    await question.getByText('They lose').waitFor();
    await question.getByText('Currencies, pairs, rates and reserves.').waitFor();
    await question.getByRole('button', { name: 'Not now' }).click();
    const kept = await sql<
      { permissions: string[] }[]
    >`select permissions from users where id = ${other?.id ?? ''}`;
    assert.deepEqual(kept, had);

    await button('Save the role').click();
    await question.getByRole('button', { name: 'Change the permissions' }).click();
    await page.getByText(/^Role of .+ saved$/).waitFor();
    const now = await sql<
      { permissions: string[] }[]
    >`select permissions from users where id = ${other?.id ?? ''}`;
    assert.ok(had[0]?.permissions.includes('money') && !now[0]?.permissions.includes('money'));
    await sql.end();
    // The form stands there anew and its button has nothing to save: the part's head takes the keyboard.
    await page.locator(':focus', { hasText: /^Role$/ }).waitFor();
  });

  it('says in plain words why an email was not sent', async () => {
    await page.goto(`${desk.web}/admin/mail`, { waitUntil: 'networkidle' });
    await button('Send a test email').click();
    await button('Send the test email').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The server refused the connection.').waitFor();
    await dialog.getByText('ECONNREFUSED').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    assert.equal(await focused(), 'Send a test email');
  });

  it('retries all failed emails at once', async () => {
    const sql = connect(desk.databaseUrl(), 1);
    const content = { subject: 'A', preview: 'A', heading: 'A', paragraphs: [] };
    await sql`insert into emails
      (id, kind, recipient, locale, subject, data, message_id, state, attempts, last_error)
      select gen_random_uuid(), 'test', 'reader-' || n || '@example.com', 'en', 'A failed email',
        ${sql.json({ name: '', content })}, 'failed-' || n, 'failed', 9, '530 Sign in first'
      from generate_series(1, 3) as n`;
    await page.goto(`${desk.web}/admin/mail?state=failed`, { waitUntil: 'networkidle' });
    await button('Retry all').click();
    await page.getByText('The emails are sent again now.').waitFor();
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int as count from emails where kind = 'test' and state = 'failed'`;
    assert.equal(left?.count, 0);
    await page.goto(`${desk.web}/admin/audit`);
    await page
      .getByText(/retried all failed emails/)
      .first()
      .waitFor();
    await sql.end();
  });

  it('keeps a note that is begun while a payout is being claimed', async () => {
    await openPayable();
    await page.route('**/claim', async (route) => {
      await new Promise((passed) => setTimeout(passed, 800));
      await route.continue();
    });
    await page.keyboard.press('p');
    await page.keyboard.press('n');
    const note = page.getByRole('dialog', { name: /^Note on/ });
    await note.getByRole('textbox').fill('Ask the bank first.');
    await page.getByText('Claimed. Only you can pay it out now.').waitFor();
    assert.equal(await note.getByRole('textbox').inputValue(), 'Ask the bank first.');
    await page.unroute('**/claim');
    await note.getByRole('button', { name: 'Not now' }).click();
  });

  it('shows a payout whose answer was lost as completed once it has read the exchange again', async () => {
    const number = await openPayable();
    await page.keyboard.press('p');
    const payOut = page.getByRole('dialog', { name: new RegExp(number) });
    await payOut.getByRole('textbox').fill('SEPA-LOST');
    // It arrives, and from then on nothing comes back.
    await page.route(`**/api/admin/exchanges/${number}**`, async (route) => {
      if (route.request().method() === 'POST') await route.fetch();
      await route.abort();
    });
    await payOut.getByRole('button', { name: /^Paid out/ }).click();
    await payOut.getByText(/^No answer came/).waitFor();
    await payOut.getByRole('button', { name: 'Not now' }).click();
    const held = page.getByText('You still hold the claim.');
    await held.waitFor();
    const unknown = page.getByText(/^No answer came/);
    assert.equal(await unknown.count(), 1);
    await page.unroute(`**/api/admin/exchanges/${number}**`);
    // It is read again four times a minute.
    await page
      .locator('header')
      .getByText('Paid out', { exact: true })
      .first()
      .waitFor({ timeout: 2 * patienceMs });
    assert.deepEqual([await held.count(), await unknown.count()], [0, 0]);
  });

  /** Opens an exchange that waits to be paid out; gives its number. */
  async function openPayable(): Promise<string> {
    const queue = `${desk.api}/api/admin/exchanges?queue=to_pay_out`;
    const answer = await page.request.get(queue, { headers: { origin: desk.web } });
    const { data } = (await answer.json()) as { data: { number: string }[] };
    const number = data[0]?.number ?? '';
    await page.goto(`${desk.web}/admin/exchanges/${number}`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: /^Pay out/ }).waitFor();
    return number;
  }

  it('leads to the search of a list by the key that stands in it', async () => {
    for (const path of ['subscribers', 'feature-reports', 'mail', 'blog']) {
      await page.goto(`${desk.web}/admin/${path}`, { waitUntil: 'networkidle' });
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    }
  });

  it('puts the sentence of a page before its buttons on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${desk.web}/admin/mail`);
    const text = await page.getByText('Emails wait in an outbox').boundingBox();
    const act = await button('Send a test email').boundingBox();
    assert.ok(text && act && text.y + text.height <= act.y);
  });

  for (const path of ['/admin/mail', '/rates']) {
    it(`closes the menu of a phone with Escape, and when the keyboard leaves it, on ${path}`, async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${desk.web}${path}`, { waitUntil: 'networkidle' });
      const opener = page.locator('summary[aria-label="Menu"]');
      const menu = page.locator('details[open]').filter({ has: opener });
      await opener.press('Enter');
      await menu.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      assert.ok(await page.locator('summary[aria-label="Menu"]:focus').isVisible());

      await opener.press('Enter');
      await menu.getByRole('link').or(menu.getByRole('button')).last().focus();
      await page.keyboard.press('Tab');
      await menu.waitFor({ state: 'detached' });
      // What has the focus now is covered by nothing.
      await page.locator('main :focus').click({ trial: true });
    });
  }
});
