/**
 * An admin sets the rates up: a key, its test, a run, and a rate that moved too far. Then a rate of
 * 18 decimals and an amount of nearly 10^24 go from a provider to every page without losing a digit.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { currencyDraft, pairDraft } from '../../../apps/api/test/desk.ts';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { callApi, changeSettings } from '../../support/api.ts';
import { newAdmin, rememberSettings, sharedDesk } from '../../support/shared-desk.ts';
import { phone } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, rateProviders } = shared;
let page: Page;
let restore: () => Promise<void>;

const ask = <T>(method: string, path: string, data?: object) =>
  callApi<T>(page.context(), desk, method, path, data);

before(async () => {
  page = await newAdmin(shared, { viewport: phone });
  restore = await rememberSettings(shared, ['rate-api', 'desk']);
  // Near the price that the pairs of the demo desk have: the first rate is compared with it.
  for (const provider of [rateProviders.fixer, rateProviders.frankfurter])
    provider.rates['NGN'] = '1758.5';
});
after(() => restore());

describe('the rates in the console', () => {
  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const waiting = () => page.getByRole('region', { name: 'Waiting for your decision' });
  const accepted = (unit: string) =>
    page.getByRole('region', { name: 'Accepted rates' }).getByRole('row').filter({ hasText: unit });

  /** A button does nothing before the page's script has loaded. */
  async function open(path: string): Promise<void> {
    await page.goto(desk.web + path, { waitUntil: 'networkidle' });
  }

  async function runNow(): Promise<void> {
    await open('/admin/rates');
    await button('Run now').click();
    await page.getByText('The run is done').waitFor();
  }

  it('An admin chooses a provider, whose free plan the form warns about', async () => {
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
    await page.getByLabel('Requested', { exact: true }).selectOption('Every hour');
    await page.getByText('needs 744 requests per month').waitFor();
    await page.getByRole('switch', { name: 'Fetch rates every hour' }).check();
    await button('Save changes').click();
    await page.getByText('Last saved').waitFor();
  });

  it('An admin tests a key before saving it, and no page shows it again', async () => {
    await page.getByRole('link', { name: 'Test keys and see runs' }).click();
    await page.getByText('Key is missing', { exact: true }).waitFor();
    await button('Set the key: Fixer').click();
    const dialog = page.getByRole('dialog', { name: 'Key for Fixer' });
    await dialog.getByRole('textbox').fill('of-somebody-else');
    await button('Test this key', dialog).click();
    await dialog.getByText('Fixer did not accept the key.').waitFor();
    await dialog.getByRole('textbox').fill(`${rateProviders.fixer.key}\n`);
    await dialog.getByText('Fixer did not accept the key.').waitFor({ state: 'detached' });
    await button('Test this key', dialog).click();
    await dialog.getByText('It works').waitFor();
    await button('Save this key', dialog).click();
    await page.getByText('The key for Fixer is saved', { exact: true }).waitFor();
    await open('/admin/rates');
    await page.getByText('Key is set').waitFor();
    assert.ok(!(await page.content()).includes(rateProviders.fixer.key));
  });

  it('A run by hand fetches rates and shows its outcome, and so does the task', async () => {
    await runNow();
    await accepted('GBP').getByText('live', { exact: true }).waitFor();
    assert.match(await accepted('GBP').innerText(), /0\.85852/);
    await page
      .getByRole('region', { name: 'Last runs' })
      .getByText(/^Fixer gave \d+ rates\.$/)
      .waitFor();

    await open('/admin/tasks');
    await button('Run now: Rates sync').click();
    const task = page.getByRole('listitem').filter({ has: button('Run now: Rates sync') });
    await task
      .getByRole('status')
      .filter({ hasText: /Done[^]*asked for by / })
      .waitFor();
  });

  it('Rates that moved too far wait for a decision, and rejected ones change nothing', async () => {
    rateProviders.fixer.rates['GBP'] = '858.52';
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
    await button('Reject', no).click();
    await waiting().waitFor({ state: 'detached' });
    assert.match(await accepted('GBP').innerText(), /0\.85852/);
    await open('/admin/audit?action=rate.');
    await page.getByText(/rejected a rate that had moved too far/).waitFor();
  });
});

describe('every digit', () => {
  const rate = '0.876543210987654321';
  const sent = '999999999999999999999999.999999999999999999';
  /** (10^42 − 1) × 0.876543210987654321 in whole minor units of 18 decimals. */
  const received = '876543210987654320999999.999999999999999999';
  const largest = '1000000000000000000000000';
  const slug = 'eur-fine-to-gbp-fine';
  /** What a price is made of, as quote and exchange have it. */
  const LINES = [
    'send_amount',
    'send_fee',
    'exchanged_amount',
    'rate',
    'gross_amount',
    'receive_fee',
    'rounding',
    'receive_amount',
  ] as const;
  type Lines = Readonly<Record<(typeof LINES)[number], string>>;

  /** Currencies of 18 decimals, whose rate follows the provider. */
  before(async () => {
    // A number of JSON: as a double it would end after 16 digits.
    Object.assign(rateProviders.fixer.rates, { GBP: '8.76543210987654321e-1', JPY: '163.2' });
    for (const unit of ['EUR', 'GBP']) {
      const code = `${unit}FINE`;
      const draft = currencyDraft(`${unit.toLowerCase()}-fine`, { unit, decimals: 18 });
      await ask('POST', '/api/admin/currencies', { ...draft, name: code, export_code: code });
    }
    const figures = {
      rate_mode: 'automatic',
      margin_percent: '0',
      rate_digits: 18,
      min_send: '0.000000000000000100',
      max_send: largest,
    } as const;
    await ask('POST', '/api/admin/pairs', pairDraft('eur-fine', 'gbp-fine', figures));
    await ask('POST', '/api/admin/rates/runs');
    // The amount is nearly all of the reserve.
    await changeSettings(page.context(), desk, 'desk', (value) => ({
      ...value,
      new_customer_reserve_percent: 100,
    }));
    const stock = { direction: 'in', amount: largest, reason: 'Opening reserve' };
    await ask('POST', '/api/admin/reserves/gbp-fine/adjustments', stock);
  });

  const plain = (text: string) => text.replaceAll(/[\s,\u00a0\u202f]/g, '');
  /** Waits until all of these are in it, however they are grouped. */
  const shows = (place: Locator, ...figures: string[]) =>
    eventually(`${figures.join(' and ')} are shown`, async () => {
      const text = plain(await place.innerText());
      return figures.every((figure) => text.includes(figure));
    });
  const typed = async (name: string) =>
    plain(await page.getByRole('textbox', { name, exact: true }).inputValue());

  it('The page of the pair and its converter show every digit', async () => {
    await page.goto(`${desk.web}/rates/${slug}`, { waitUntil: 'networkidle' });
    await shows(page.locator('main'), rate);
    await page.getByRole('textbox', { name: 'You send', exact: true }).fill(sent);
    // A button has no room for such an amount, and names none.
    await page.locator('main').getByRole('link', { name: 'Exchange', exact: true }).waitFor();
    assert.deepEqual([await typed('You send'), await typed('You receive')], [sent, received]);
  });

  it('The review and the exchange show every digit of the preview and of the quote', async () => {
    await page.locator('main').getByRole('link', { name: 'Exchange', exact: true }).click();
    await page.waitForURL(/\/preview\?/);
    await page.getByRole('button', { name: /^Continue/ }).click();
    await page.getByLabel('Account holder').fill('Robin Okafor');
    await page.getByLabel('IBAN').fill('DE89370400440532013000');
    await page.getByRole('button', { name: 'Continue to the price' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await shows(page.locator('main'), sent, rate, received);

    const quote = await ask<Lines>('POST', '/api/public/quotes', {
      pair: slug,
      side: 'send',
      amount: sent,
    });
    await page.getByRole('checkbox', { name: /I accept/ }).check();
    await page
      .locator('main')
      .getByRole('button', { name: /^Exchange/ })
      .click();
    await page.waitForURL(/\/exchanges\/CX-/);
    await shows(page.locator('main'), sent, rate, received);

    const number = new URL(page.url()).pathname.split('/').at(-1);
    const made = await ask<Lines>('GET', `/api/exchanges/${number}`);
    const lines = (of: Lines) => LINES.map((name) => [name, of[name]]);
    assert.deepEqual(lines(made), lines(quote));
    assert.deepEqual([made.send_amount, made.rate, made.receive_amount], [sent, rate, received]);
  });
});
