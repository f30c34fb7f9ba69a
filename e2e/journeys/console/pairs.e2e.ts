/** An admin makes a pair: its preview and the public quote agree to the last digit. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';
import { phone } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk } = shared;

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
  let page: Page;

  before(async () => {
    page = await newAdmin(shared, { viewport: phone });
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
  const shows = (label: string, figure: string) =>
    eventually(`${label} is ${figure}`, async () => (await line(label).catch(() => '')) === figure);
  const figureIn = async (name: string) => (await field(name).inputValue()).replaceAll(',', '');

  it('The preview follows a pair with tiers and a least fee as it is written', async () => {
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

  it('The preview agrees with the public quote to the last digit, from either side', async () => {
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

  it('The form keeps its changes while the rate is set, marks a mistake, and asks before a price moves far', async () => {
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

    const editor = `${desk.web}/admin/pairs/kwd-to-gbp`;
    await page.goto(editor, { waitUntil: 'networkidle' });
    await field('margin_percent').fill('30');
    await page.getByText('Saving will ask about this').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('The customer’s rate moves far').waitFor();
    const question = (await dialog.innerText()).replaceAll(/\s+/g, ' ');
    for (const figure of ['2.413160', '1.708000 GBP', '29.22 %'])
      assert.ok(question.includes(figure), `${figure} in ${question}`);
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
});
