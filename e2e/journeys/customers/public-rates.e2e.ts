/** The public rates: the list, a pair's chart, the converter, and alerts when a rate is reached. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { callApi } from '../../support/api.ts';
import { linkIn } from '../../support/mailbox.ts';
import { newAdmin, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, screen, signUp } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;

describe('the public rates', () => {
  it('A visitor searches the list, opens a pair and reads its chart by keyboard', async () => {
    const page = await newVisitor(browser, { viewport: screen });
    await page.goto(`${desk.web}/rates`, { waitUntil: 'networkidle' });
    await page.getByRole('searchbox').fill('usd eur');
    await page.waitForURL(/\?q=usd\+eur$/);
    await page.getByRole('link', { name: /^USD\s+to\s+EUR/ }).click();
    await page.waitForURL(/\/rates\/usd-to-eur$/);
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /USD\s*to\s*EUR/);
    const reader = page.getByRole('slider', { name: 'Read the chart by time' });
    await reader.focus();
    const now = await reader.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await reader.getAttribute('aria-valuetext'), now);
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    await page.waitForURL(/range=month/);
    await page.getByText('The figures as a table').click();
    assert.ok((await page.getByRole('row').count()) > 20);
  });

  it('An open page asks for new rates by itself', async () => {
    for (const path of ['/rates', '/rates/usd-to-eur', '/']) {
      const page = await newVisitor(browser);
      await page.clock.install();
      await page.goto(desk.web + path, { waitUntil: 'networkidle' });
      const asked = page.waitForRequest(/__data\.json/).then(() => true);
      // The script of the page may begin only after the first minutes have passed.
      do await page.clock.runFor('02:00');
      while (!(await Promise.race([asked, sleep(500, false)])));
      await page.context().close();
    }
  });

  it('The converter’s address has the last change, and a monitor’s link opens its pair', async () => {
    const page = await newVisitor(browser);
    await page.goto(`${desk.web}/?cur_from=SEPAEUR&cur_to=wireusd`, { waitUntil: 'networkidle' });
    await page.getByText('1 EUR =').waitFor();
    await page.goto(`${desk.web}/?pair=usd-to-eur`, { waitUntil: 'networkidle' });
    const entries = await page.evaluate('history.length');
    await page.getByRole('textbox', { name: 'You send', exact: true }).fill('777');
    await page.waitForURL(/pair=usd-to-eur&side=send&amount=777$/);
    await page.getByRole('link', { name: 'Swap what you send and receive' }).click();
    await page.waitForURL(/pair=eur-to-usd&side=receive&amount=777$/);
    assert.equal(await page.evaluate('history.length'), entries);
    await page.reload();
    const receive = page.getByRole('textbox', { name: 'You receive', exact: true });
    assert.equal(await receive.inputValue(), '777.00');

    // A currency that is chosen before the script has loaded stays chosen.
    const script = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(`${desk.web}/?pair=usd-to-eur`, { waitUntil: 'commit' });
    const native = page.getByRole('combobox', { name: 'Currency you send' });
    await native.focus();
    await native.selectOption('eur');
    script.resolve();
    await page.getByRole('button', { name: /^Currency you receive: USD/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: /^Currency you send: EUR/ }).waitFor();
  });

  it('A phone’s menu opens by keyboard, and closes by Escape or when the focus leaves it', async () => {
    const page = await newVisitor(browser);
    await page.goto(`${desk.web}/rates`, { waitUntil: 'networkidle' });
    const opener = page.locator('summary[aria-label="Menu"]');
    const menu = page.locator('details[open]').filter({ has: opener });
    await opener.press('Enter');
    await menu.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.ok(await opener.and(page.locator(':focus')).isVisible());
    await opener.press('Enter');
    await menu.getByRole('link').or(menu.getByRole('button')).last().focus();
    await page.keyboard.press('Tab');
    await menu.waitFor({ state: 'detached' });
    // Nothing covers the focused element now.
    await page.locator('main :focus').click({ trial: true });
  });

  it('A page without a connection says so', async () => {
    const page = await newVisitor(browser);
    await page.goto(desk.web, { waitUntil: 'networkidle' });
    await page.context().setOffline(true);
    await page.getByRole('link', { name: /^Exchange [\d,.]+ / }).click();
    const offline = page.getByText('You’re offline. Check your connection and try again.');
    await page.getByRole('alert').filter({ has: offline }).waitFor();
  });
});

describe('a rate alert', () => {
  const person = newPerson('Ines Duarte');
  let restore: (() => Promise<void>) | undefined;

  after(() => restore?.());

  /** Sets the pair's rate, as an admin does. */
  async function setRate(admin: Page, rate: string): Promise<string> {
    const path = '/api/admin/pairs/usd-to-eur';
    const context = admin.context();
    const pair = await callApi<{ version: number; mid_rate: string }>(context, desk, 'GET', path);
    const put = { version: pair.version, mid_rate: rate };
    await callApi(context, desk, 'PUT', `${path}/rate`, put).catch(async (error: Error) => {
      // It asks whether a rate is meant that moves far.
      const confirm_rate = /"to":"([\d.]+)"/.exec(error.message)?.[1];
      await callApi(context, desk, 'PUT', `${path}/rate`, { ...put, confirm_rate });
    });
    return pair.mid_rate;
  }

  it('A visitor sets an alert on the way through sign-up, is written to once, and deletes it', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    const target = page.getByRole('textbox', { name: 'Rate in EUR for 1 USD' });
    await page.goto(`${desk.web}/rates/usd-to-eur`);
    await target.fill('1.5');
    await page.getByRole('button', { name: 'Sign in and set the alert' }).click();
    await page.waitForURL(/\/signin\?next=/);
    await page
      .getByRole('link', { name: /open an account/i })
      .first()
      .click();
    await signUp(page, person);
    await page.waitForURL(/\/rates\/usd-to-eur\?.*target=1\.5/);
    assert.equal(await target.inputValue(), '1.5');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText(/Confirm your email address first/).waitFor();
    // The email of the confirmation leads back, too.
    await page.goto(linkIn(await mailbox.read(person.email, /^Confirm/)));
    await page.getByRole('button', { name: /confirm/i }).click();
    await page.waitForURL(/\/rates\/usd-to-eur\?.*target=1\.5/);
    await target.fill('0.01');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await refusal.getByText(/The rate is there already/).waitFor();
    await target.fill('1.5');
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page.waitForURL(/\/account\/alerts\?added=/);
    await page.getByText('The alert is set: 1 USD gives at least 1.5 EUR.').waitFor();
    await page.getByText('Waiting', { exact: true }).waitFor();

    const admin = await newAdmin(shared);
    const before = await setRate(admin, '1.7');
    restore = async () => void (await setRate(await newAdmin(shared), before));
    const email = await mailbox.read(person.email, /^Rate alert: 1 USD = 1\.\d+ EUR$/);
    assert.match(email, /gives at least 1\.5 EUR\. It does now\./);
    assert.ok(email.includes(`${desk.web}/rates/usd-to-eur`));
    await page.reload();
    await page.getByText('Sent', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Delete the alert/ }).click();
    await page.getByText('No alerts yet').waitFor();
  });
});
