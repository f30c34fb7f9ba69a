/** An admin makes a pair in the browser; its preview, the public quote and the converter's pair agree. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, phone, screen, signInAsAdmin } from './visitor.ts';

const patienceMs = 12_000;

interface Lines {
  send_amount: string;
  send_fee: string;
  exchanged_amount: string;
  rate: string;
  gross_amount: string;
  receive_fee: string;
  rounding: string;
  receive_amount: string;
}

describe('the pair editor', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newVisitor(browser);
    await signInAsAdmin(page, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const field = (name: string) => page.locator(`[name="${name}"]`);
  const preview = () => page.getByRole('complementary', { name: 'Preview' });
  /** A line of the preview by its label, as plain digits. */
  async function line(label: string): Promise<string> {
    const text = await preview().locator('dl > div', { hasText: label }).first().innerText();
    return /([\d,]+(\.\d+)?)\D*$/.exec(text)?.[1]?.replaceAll(',', '') ?? text;
  }
  async function publicQuote(side: 'send' | 'receive', amount: string): Promise<Lines> {
    const answer = await fetch(`${desk.api}/api/public/quotes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ pair: 'kwd-to-gbp', side, amount }),
    });
    const body = (await answer.json()) as { data: Lines };
    assert.equal(answer.status, 200, JSON.stringify(body));
    return body.data;
  }
  /** The answer to the last key comes a moment after it. */
  async function shows(label: string, figure: string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while ((await line(label).catch(() => '')) !== figure) {
      if (Date.now() > deadline) assert.equal(await preview().innerText(), `${label}: ${figure}`);
      await sleep(50);
    }
  }
  const figureIn = async (name: string) => (await field(name).inputValue()).replaceAll(',', '');

  it('previews a pair with tiers and a least fee as it is written', async () => {
    await page.goto(`${desk.web}/admin/pairs/new`, { waitUntil: 'networkidle' });
    await field('send').selectOption('kwd');
    await field('receive').selectOption('gbp');
    await field('mid_rate').fill('2.436353700000000001');
    await field('margin_percent').fill('abc');
    await page.getByText('This is not a percentage.').waitFor();
    await field('margin_percent').fill('1.25');
    await field('min_send').fill('10');
    await field('max_send').fill('5000');
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await field('tiers.0.from').fill('1000');
    await field('tiers.0.margin_percent').fill('1');
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await field('tiers.1.from').fill('100');
    await field('tiers.1.margin_percent').fill('0.5');
    await page.getByText('Each tier must begin above the last.').first().waitFor();
    await field('tiers.0.from').fill('100');
    await field('tiers.1.from').fill('1000');
    await field('send_fee.percent').fill('0.5');
    await field('send_fee.min').fill('1.5');
    await field('payout_step').fill('5');
    await page.getByRole('switch', { name: /Active/ }).check();

    await field('preview.send').fill('100');
    // 98.500 at 2.436353700000000001 less 1 %, which is 2.411990: 237.58, of which 235.00 is paid.
    await shows('Customer gets', '235.00');
    assert.equal(await line('Send fee'), '1.500');
    assert.equal(await line('At the rate'), '2.411990');
    assert.equal(await line('Comes to'), '237.58');
    assert.equal(await line('Cut off by the step'), '2.58');
    assert.match(await preview().innerText(), /Live/);
  });

  it('agrees with the public quote to the last digit, from either side', async () => {
    await page.getByRole('button', { name: 'Add the pair' }).click();
    await page.waitForURL(/\/admin\/pairs\/kwd-to-gbp$/);
    for (const [side, amount] of [
      ['send', '99.999'],
      ['send', '100'],
      ['send', '1234.567'],
      ['receive', '701'],
    ] as const) {
      const quote = await publicQuote(side, amount);
      await field(`preview.${side}`).fill(amount);
      await shows('At the rate', quote.rate);
      await shows('Exchanged', quote.exchanged_amount);
      assert.equal(await line('Send fee'), quote.send_fee);
      // A line that would change nothing is left out.
      if (Number.parseFloat(quote.rounding) > 0) {
        assert.equal(await line('Comes to'), quote.gross_amount);
        assert.equal(await line('Cut off by the step'), quote.rounding);
      }
      assert.equal(await line('Customer gets'), quote.receive_amount);
      const other = side === 'send' ? 'receive' : 'send';
      assert.equal(await figureIn(`preview.${other}`), quote[`${other}_amount`]);
    }
  });

  it('keeps what is typed while the rate is set, and shows a mistake where it is', async () => {
    await field('margin_percent').fill('1.1');
    await page.getByRole('button', { name: 'Set the rate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('[name="mid_rate"]').fill('2.44');
    await dialog.getByRole('button', { name: 'Set the rate' }).click();
    await page.getByText(/Rate of KWD \(.+\) to GBP \(.+\) set/).waitFor();
    assert.equal(await field('margin_percent').inputValue(), '1.1');

    await page.getByRole('radio', { name: /Formula/ }).check();
    await field('formula').fill('kwd/usd * (1.01');
    await page
      .getByText(/At character 11/)
      .first()
      .waitFor();
    await page.getByRole('radio', { name: /Manual/ }).check();
    const [saved] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PATCH'),
      page.getByRole('button', { name: 'Save changes' }).click(),
    ]);
    assert.equal(saved.status(), 200);
    const { rate } = await publicQuote('send', '50');
    assert.equal(rate, '2.413160');
  });

  it('keeps a dialog open that somebody did not mean to leave', async () => {
    await page.setViewportSize(screen);
    await page.goto(`${desk.web}/admin/pairs`, { waitUntil: 'networkidle' });
    const open = page.getByRole('button', { name: /^Set the rate/ }).last();
    const dialog = page.getByRole('dialog');
    const rate = dialog.locator('[name="mid_rate"]');
    // The second click lands beside the dialog.
    await open.dblclick();
    await sleep(600);
    assert.ok(await rate.isVisible());
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'hidden' });

    await open.click();
    await sleep(600);
    await rate.hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    assert.ok(await rate.isVisible());
    await rate.fill('2.5');
    await page.mouse.click(5, 5);
    await dialog.getByText('What you typed is still here').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await rate.inputValue(), '2.5');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.setViewportSize(phone);
  });

  it('asks before a price goes live that moves far, and saves what was said yes to', async () => {
    const editor = `${desk.web}/admin/pairs/kwd-to-gbp`;
    await page.goto(editor, { waitUntil: 'networkidle' });
    await field('margin_percent').fill('30');
    await page.getByText('Saving will ask about this').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The customer’s rate moves far').waitFor();
    const said = (await dialog.innerText()).replaceAll(/\s+/g, ' ');
    for (const figure of ['2.413160', '1.708000 GBP', '29.22 %'])
      assert.ok(said.includes(figure), `${figure} in ${said}`);
    await dialog.getByRole('button', { name: 'Change it' }).click();
    assert.equal((await publicQuote('send', '50')).rate, '2.413160');
    await page.getByRole('button', { name: 'Save changes' }).click();
    // The first answer is the question; the second one is the saving.
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok()),
      dialog.getByRole('button', { name: 'Yes, use this rate' }).click(),
    ]);
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await publicQuote('send', '50')).rate, '1.708000');
  });

  it('leaves nothing of the former price beside a formula that is wrong', async () => {
    await page.goto(`${desk.web}/admin/pairs/kwd-to-gbp`, { waitUntil: 'networkidle' });
    await page.getByRole('radio', { name: /Formula/ }).check();
    await field('formula').fill('2');
    await page.getByText('1.400000').first().waitFor();
    await field('formula').fill('2 +');
    await page
      .getByText(/At character/)
      .first()
      .waitFor();
    assert.equal(await page.getByText('1.400000').count(), 0);
  });
});
