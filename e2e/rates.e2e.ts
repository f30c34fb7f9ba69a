/** An admin sets rates up: a key, a test, a run, and a rate that moved too far. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  startRateProviders,
  type FakeRateProviders,
} from '../apps/api/test/fakes/rate-providers.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, signInAsAdmin } from './visitor.ts';

/** What the page of the rates is read with, by the site and by the browser. */
const reading = /\/admin\/rates(\/__data\.json.*)?$/;
interface Pair {
  readonly data: { readonly version: number };
}

/** A run waits for its providers. */
const patienceMs = 20_000;

describe('the rates in the console', () => {
  const closing: (() => unknown)[] = [];
  let fakes: FakeRateProviders;
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    fakes = await startRateProviders({ after: (work: () => unknown) => void closing.push(work) });
    // Near the price that the pairs of the desk were sold at: the first rate is compared with it.
    for (const provider of [fakes.fixer, fakes.frankfurter]) provider.rates['NGN'] = '1758.5';
    [desk, browser] = await Promise.all([
      startDesk({ environment: { ...fakes.environment } }),
      openBrowser(),
    ]);
    page = await newVisitor(browser);
    page.setDefaultTimeout(patienceMs);
    await signInAsAdmin(page, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
    for (const close of closing) await close();
  });

  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const waiting = () => page.getByRole('region', { name: 'Waiting for your decision' });
  const unread = () => page.getByText('This page could not be refreshed.');
  const accepted = (unit: string) =>
    page.getByRole('region', { name: 'Accepted rates' }).getByRole('row').filter({ hasText: unit });

  /** A button that is pressed before the page has its script does nothing. */
  async function open(path: string): Promise<void> {
    await page.goto(desk.web + path, { waitUntil: 'networkidle' });
  }

  async function runNow(): Promise<void> {
    await open('/admin/rates');
    await button('Run now').click();
    await page.getByText('The run is done').waitFor();
  }

  /** A run asks for what such a pair needs. */
  async function followMarket(slug: string): Promise<void> {
    const url = `${desk.api}/api/admin/pairs/${slug}`;
    const cookies = await page.context().cookies();
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const headers = { origin: desk.web, 'x-xsrf-token': decodeURIComponent(token) };
    const pair = (await (await page.request.get(url, { headers })).json()) as Pair;
    const data = { version: pair.data.version, rate_mode: 'automatic' };
    const answer = await page.request.patch(url, { headers, data });
    assert.ok(answer.ok(), await answer.text());
  }

  it('are set by hand until providers are chosen and switched on', async () => {
    await open('/admin/rates');
    await page.getByText('Rates are set manually').waitFor();
    await page.getByRole('link', { name: 'Rate settings' }).click();
    await page.getByLabel('Provider', { exact: true }).selectOption('Fixer');
    assert.deepEqual(
      [
        await page.getByLabel('Its rates change').inputValue(),
        await page.getByLabel(/^Requests per month/).inputValue(),
        await page.getByLabel('Requested', { exact: true }).inputValue(),
      ],
      ['daily', '100', '8'],
    );
    // More often than the free plan lasts for, as the figures of the month will tell.
    await page.getByLabel('Requested', { exact: true }).selectOption('Every hour');
    await page.getByText('needs 744 requests per month').waitFor();
    await page.getByRole('switch', { name: 'Fetch rates every hour' }).check();
    await button('Save changes').click();
    await page.getByText('Last saved').waitFor();
  });

  it('take a key that was tried first, and never show it again', async () => {
    await page.getByRole('link', { name: 'Test keys and see runs' }).click();
    await page.getByText('Key is missing', { exact: true }).waitFor();
    await page.getByText('used up on about day 5 of each month').waitFor();
    await button('Set the key: Fixer').click();
    const dialog = page.getByRole('dialog', { name: 'Key for Fixer' });
    await dialog.getByRole('textbox').fill('of-somebody-else');
    await button('Test this key', dialog).click();
    await dialog.getByText('Fixer did not accept the key.').waitFor();
    await dialog.getByRole('textbox').fill(`${fakes.fixer.key}\n`);
    await dialog.getByText('Fixer did not accept the key.').waitFor({ state: 'detached' });
    await button('Test this key', dialog).click();
    await dialog.getByText('It works').waitFor();
    // The network is gone, so nothing is tried: what is typed stays, and so does its page.
    await page.context().setOffline(true);
    await button('Test this key', dialog).click();
    await dialog.getByText('The service did not answer').waitFor();
    await page.context().setOffline(false);
    assert.equal(await dialog.getByRole('textbox').inputValue(), fakes.fixer.key);
    // The service is lost as soon as the key is kept, and takes its time about it.
    const lose = Promise.withResolvers<void>();
    await page.route(reading, (route) => lose.promise.then(() => route.abort()));
    await button('Save this key', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The key for Fixer is saved', { exact: true }).waitFor();
    lose.resolve();
    await unread().waitFor();
    await page.getByText('Key is missing', { exact: true }).waitFor();
    await page.unroute(reading);
    await open('/admin/rates');
    await page.getByText('Key is set').waitFor();
    assert.ok(!(await page.content()).includes(fakes.fixer.key));

    await button('Test: Fixer').click();
    await page.getByText('It works').waitFor();
  });

  it('are accepted after a run by hand, which shows its outcome', async () => {
    await runNow();
    await accepted('GBP').getByText('live', { exact: true }).waitFor();
    assert.match(await accepted('GBP').innerText(), /0\.85852/);
    await page
      .getByRole('region', { name: 'Last runs' })
      .getByText(/^Fixer gave \d+ rates\.$/)
      .waitFor();
  });

  it('wait for a decision when they moved too far, and stay when the new one is rejected', async () => {
    fakes.fixer.rates['GBP'] = '858.52';
    await runNow();
    await accepted('GBP').getByText('being checked', { exact: true }).waitFor();
    assert.match(await waiting().innerText(), /0\.85852[\s\S]*858\.52[\s\S]*\+99,900\s?%/);
    await open('/admin');
    await page.getByText('1 new rate waits for your decision').waitFor();
    await page.getByRole('link', { name: 'Decide' }).click();

    await button('Accept: GBP').click();
    const yes = page.getByRole('dialog', { name: 'Accept this rate of GBP?' });
    await yes.getByText('a misplaced decimal point looks like this').waitFor();
    await button('Not now', yes).click();
    await button('Reject: GBP').press('Enter');
    const no = page.getByRole('dialog', { name: 'Reject this rate of GBP?' });
    // The answer of the first request is lost: the second one says who decided.
    await page.route('**/decision', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button('Reject', no).click();
    await no.getByText('The service did not answer').waitFor();
    await page.unroute('**/decision');
    await button('Reject', no).click();
    await no.getByText('Another admin has already decided on this rate.').waitFor();
    await button('Close', no).last().click();
    await waiting().waitFor({ state: 'detached' });
    assert.match(await accepted('GBP').innerText(), /0\.85852/);

    await open('/admin/audit?action=rate.');
    await page.getByText(/rejected a rate that had moved too far/).waitFor();
  });

  it('are rejected at once where a run has asked about several', async () => {
    await followMarket('usd-to-jpy');
    Object.assign(fakes.fixer.rates, { GBP: '17.5', JPY: '2900' });
    await runNow();
    await button('Reject all 2').click();
    const all = page.getByRole('dialog', { name: 'Reject these 2 rates?' });
    assert.match(await all.innerText(), /17\.5 GBP[\s\S]*Fixer/);
    await button('Reject all 2', all).click();
    await waiting().waitFor({ state: 'detached' });
  });

  it('are fetched by the clock, as the list of tasks tells', async () => {
    await open('/admin/tasks');
    await button('Run now: Fetch rates').click();
    const task = page.getByRole('listitem').filter({ has: button('Run now: Fetch rates') });
    await task.getByText('Done: Fetch rates').waitFor();
    assert.match(await task.innerText(), /asked for by /);
  });
});
