/**
 * A rate of 18 decimals and an amount of nearly 10^24, from a provider to every
 * page that shows them: the editor's preview, the converter, the pair's own
 * page, the review and the exchange that is made. No digit changes on the way.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { currencyDraft, pairDraft } from '../apps/api/test/desk.ts';
import {
  startRateProviders,
  type FakeRateProviders,
} from '../apps/api/test/fakes/rate-providers.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';

const patienceMs = 20_000;
const rate = '0.876543210987654321';
const sent = '999999999999999999999999.999999999999999999';
/** (10^42 − 1) × 0.876543210987654321 in whole minor units of 18 decimals. */
const received = '876543210987654320999999.999999999999999999';
const largest = '1000000000000000000000000';
const slug = 'eur-fine-to-gbp-fine';

/** What a price is made of, as quote and exchange tell it. */
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

describe('every digit', () => {
  const closing: (() => unknown)[] = [];
  let fakes: FakeRateProviders;
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    fakes = await startRateProviders({ after: (work: () => unknown) => void closing.push(work) });
    // A number of JSON: as a double it would end after 16 digits.
    fakes.fixer.rates = { GBP: '8.76543210987654321e-1' };
    [desk, browser] = await Promise.all([
      startDesk({ environment: { ...fakes.environment } }),
      openBrowser(),
    ]);
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${desk.web}/signin`);
    await page.getByLabel('E-mail address').fill(desk.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname.startsWith('/admin'));
    await openFineDesk();
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
    for (const close of closing) await close();
  });

  /** With the session of the page; `data` of the answer. */
  async function ask<T>(method: string, path: string, data?: unknown): Promise<T> {
    const cookies = await page.context().cookies();
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const answer = await page.request.fetch(desk.api + path, {
      method,
      headers: {
        accept: 'application/json',
        origin: desk.web,
        'x-xsrf-token': decodeURIComponent(token),
        'idempotency-key': randomUUID(),
      },
      ...(data === undefined ? {} : { data }),
    });
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }

  /** Euros and pounds of 18 decimals, whose rate follows the provider. */
  async function openFineDesk(): Promise<void> {
    for (const unit of ['EUR', 'GBP']) {
      const code = `${unit}FINE`;
      const draft = currencyDraft(`${unit.toLowerCase()}-fine`, { unit, decimals: 18 });
      await ask('POST', '/api/admin/currencies', { ...draft, name: code, export_code: code });
    }
    const settings = '/api/admin/settings/rate-api';
    const { version, value } = await ask<{ version: number; value: object }>('GET', settings);
    const providers = [{ name: 'fixer', feed: 'hourly', monthly_quota: null, cadence_hours: 1 }];
    await ask('PUT', settings, { version, value: { ...value, enabled: true, providers } });
    await ask('PUT', `${settings}/secrets/fixer_key`, { secret: fakes.fixer.key });
    const figures = {
      rate_mode: 'automatic',
      margin_percent: '0',
      rate_digits: 18,
      min_send: '0.000000000000000100',
      max_send: largest,
    } as const;
    await ask('POST', '/api/admin/pairs', pairDraft('eur-fine', 'gbp-fine', figures));
    await ask('POST', '/api/admin/rates/runs');
    const stock = { direction: 'in', amount: largest, reason: 'Opening reserve' };
    await ask('POST', '/api/admin/reserves/gbp-fine/adjustments', stock);
  }

  const plain = (text: string) => text.replaceAll(/[\s,\u00a0\u202f]/g, '');
  /** Waits until all of these stand in it, however they are grouped. */
  async function shows(place: Locator, ...figures: string[]): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const text = plain(await place.innerText());
      if (figures.every((figure) => text.includes(figure))) return;
      if (Date.now() > deadline) assert.fail(`${figures.join(' and ')} in ${text}`);
      await sleep(100);
    }
  }
  const typed = async (name: string) =>
    plain(await page.getByRole('textbox', { name, exact: true }).inputValue());

  it('is in the editor’s preview', async () => {
    await page.goto(`${desk.web}/admin/pairs/${slug}`, { waitUntil: 'networkidle' });
    await page.locator('[name="preview.send"]').fill(sent);
    await shows(page.getByRole('complementary', { name: 'Preview' }), rate, received);
  });

  it('is on the page of the pair and in its converter', async () => {
    await page.goto(`${desk.web}/rates/${slug}`, { waitUntil: 'networkidle' });
    await shows(page.locator('main'), rate);
    const send = page.getByRole('textbox', { name: 'You send', exact: true });
    await send.fill(sent);
    // A button has no room for such an amount, and names none.
    await page.locator('main').getByRole('link', { name: 'Exchange', exact: true }).waitFor();
    assert.deepEqual([await typed('You send'), await typed('You receive')], [sent, received]);
  });

  it('is in the review and in the exchange, which keeps what preview and quote have said', async () => {
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
    await page.getByRole('checkbox').check();
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
