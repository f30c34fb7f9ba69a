/** A visitor waits for a rate: asks for it, signs up, is written to by real SMTP, and stops the letters. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { linkIn, openLetterBox, type LetterBox } from './letter-box.ts';

const person = {
  name: 'Ines Duarte',
  email: 'ines@example.com',
  password: 'waiting for a better rate',
};
const patienceMs = 15_000;

describe('a rate alert', () => {
  let box: LetterBox;
  let desk: Desk;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    box = await openLetterBox();
    [desk, browser] = await Promise.all([
      startDesk({ environment: { MAIL_URL: box.url } }),
      openBrowser(),
    ]);
    // Every form of it works before its script is loaded, and here without any.
    context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
    await box?.close();
  });

  const target = () => page.getByRole('textbox', { name: 'Rate in EUR for 1 USD' });

  it('keeps what a visitor typed on the way through sign-up', async () => {
    await page.goto(`${desk.web}/rates/usd-to-eur`);
    await target().fill('1.5');
    await page.getByRole('checkbox', { name: /each time/ }).check();
    await page.getByRole('button', { name: 'Sign in and set the alert' }).click();
    await page.waitForURL(/\/signin\?next=/);
    await page
      .getByRole('link', { name: /open an account/i })
      .first()
      .click();
    await page.getByLabel('Your name').fill(person.name);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Open my account' }).click();
    await page.waitForURL(/\/rates\/usd-to-eur\?.*target=1\.5/);
    assert.equal(await target().inputValue(), '1.5');
    assert.ok(await page.getByRole('checkbox', { name: /each time/ }).isChecked());
    await page.getByText('Confirm your address first').waitFor();
  });

  it('is set once the address is confirmed, and listed', async () => {
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page
      .getByRole('alert')
      .getByText(/Confirm your e-mail address first/)
      .waitFor();
    await page.goto(linkIn(await box.read(person.email, /^Confirm/)));
    await page.getByRole('button', { name: /confirm/i }).click();
    // The letter leads back, too.
    await page.waitForURL(/\/rates\/usd-to-eur\?.*target=1\.5/);
    await page.getByText('Here’s what you entered.').waitFor();
    assert.equal(await target().inputValue(), '1.5');

    await target().fill('0.01');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page
      .getByRole('alert')
      .getByText(/The rate is there already/)
      .waitFor();
    assert.equal(await target().inputValue(), '0.01');
    await target().fill('1.5');
    const tick = page.getByRole('checkbox', { name: /each time/ });
    await tick.check();
    // The house's own box, which the browser's does not replace in any theme.
    const look = 'getComputedStyle(document.querySelector("[name=repeats]")).appearance';
    assert.equal(await page.evaluate(look), 'none');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page.waitForURL(/\/account\/alerts\?added=/);
    await page.getByText('The alert is set: 1 USD gives at least 1.5 EUR.').waitFor();
    await page.getByText('Waiting', { exact: true }).waitFor();
  });

  it('is written when the desk’s rate comes to it, and stopped from its letter', async () => {
    await moveRate('1.7');
    const letter = await box.read(person.email, /^Rate alert: 1 USD = 1\.\d+ EUR$/);
    assert.match(letter, /gives at least 1\.5 EUR\. It does now\./);
    assert.ok(letter.includes(`${desk.web}/rates/usd-to-eur`));
    await page.reload();
    await page.getByText('Sent', { exact: true }).waitFor();

    const stop = /http\S+\/alerts\/[\w-]+/.exec(letter)?.[0] ?? '';
    // Whoever only looks, with or without cookies, stops nothing.
    assert.equal((await fetch(stop)).status, 200);
    // A link that was cut short is no missing page.
    const dead = await fetch(stop.slice(0, -1));
    assert.equal(dead.status, 404);
    assert.match(await dead.text(), /<h1[^>]*>This link no longer works/);
    const stranger = await browser.newContext({ javaScriptEnabled: false });
    const open = await stranger.newPage();
    await open.goto(stop);
    await open.getByText('1 USD gives at least 1.5 EUR').waitFor();
    await page.reload();
    await page.getByText('Sent', { exact: true }).waitFor();
    await open.getByRole('button', { name: 'Stop this alert' }).click();
    await open.getByRole('heading', { name: 'The alert is stopped' }).waitFor();
    await stranger.close();
    await page.goto(`${desk.web}/account/alerts`);
    await page.getByText('No alerts yet').waitFor();
  });

  it('is deleted from the list', async () => {
    await page.goto(`${desk.web}/rates/usd-to-eur`);
    await page.getByLabel('At least or at most').selectOption('at_most');
    await target().fill('0.5');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page.getByRole('button', { name: /^Delete the alert/ }).click();
    await page.getByText('The alert is deleted.').waitFor();
    await page.getByText('No alerts yet').waitFor();
  });

  /** As an admin does, on the pair's page. */
  async function moveRate(rate: string): Promise<void> {
    const own = await browser.newContext();
    const admin = await own.newPage();
    await admin.goto(`${desk.web}/signin`, { waitUntil: 'networkidle' });
    await admin.getByLabel('E-mail address').fill(desk.admin.email);
    await admin.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await admin.getByRole('button', { name: 'Sign in', exact: true }).click();
    await admin.waitForURL(/\/admin/);
    const token = (await own.cookies(desk.api)).find(({ name }) => name === 'XSRF-TOKEN');
    const headers = {
      origin: desk.web,
      'x-xsrf-token': decodeURIComponent(token?.value ?? ''),
      accept: 'application/json',
    };
    const url = `${desk.api}/api/admin/pairs/usd-to-eur`;
    const { data } = (await (await own.request.get(url, { headers })).json()) as {
      data: { version: number };
    };
    const put = (confirm?: string) =>
      own.request.put(`${url}/rate`, {
        headers,
        data: { version: data.version, mid_rate: rate, confirm_rate: confirm },
      });
    let answer = await put();
    if (answer.status() === 409) {
      const refusal = (await answer.json()) as { rate_change: { to: string } };
      answer = await put(refusal.rate_change.to);
    }
    assert.equal(answer.status(), 200, await answer.text());
    await own.close();
  }
});
