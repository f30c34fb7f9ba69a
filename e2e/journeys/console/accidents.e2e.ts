/** What goes wrong at a real desk, worked by an operator with the keyboard and by customers on phones. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { callApi } from '../../support/api.ts';
import { newCustomer, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, phone, screen, signInAsAdmin } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;
const payout_fields = { holder: 'Ana Maric', iban: 'DE89370400440532013000' };

interface Seen {
  readonly number: string;
  readonly version: number;
  readonly state: string;
  readonly exception: string;
  readonly receive_amount: string;
}

/** Another one each time, since the same file twice is a warning. */
function picture(): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  return sharp({ create: { width: 400, height: 300, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

describe('accidents', () => {
  let operator: Page;
  const shoot = process.env['SHOTS'];

  before(async () => {
    operator = await newVisitor(browser, { viewport: screen });
    await signInAsAdmin(operator, desk);
  });

  async function shot(page: Page, name: string) {
    if (!shoot) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `${shoot}/${name}-${scheme}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** A new customer on a phone with an exchange of 100 USD, submitted with its reference. */
  async function customerWith(name: string, isSubmitted = true) {
    const { page } = await newCustomer(shared, name);
    await page.setViewportSize(phone);
    const quote = await callApi<{ token: string }>(
      page.context(),
      desk,
      'POST',
      '/api/public/quotes',
      {
        pair: 'usd-to-eur',
        side: 'send',
        amount: '100',
      },
    );
    const exchange = await callApi<Seen>(page.context(), desk, 'POST', '/api/exchanges', {
      quote_token: quote.token,
      payout_fields,
      sender_fields: { sender_name: name },
      terms_accepted: true,
    });
    if (isSubmitted) await upload(page, exchange.number);
    return { page, number: exchange.number };
  }

  async function upload(page: Page, number: string) {
    await page.goto(`${desk.web}/exchanges/${number}`, { waitUntil: 'networkidle' });
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({
        name: 'receipt.png',
        mimeType: 'image/png',
        buffer: await picture(),
      });
    await page.getByText('Received').first().waitFor();
    await page.getByRole('button', { name: 'I have paid' }).click();
    await page.getByText('We’re looking for your payment').first().waitFor();
  }

  /** Opens the exchange at the desk, and presses a key until its dialog is there. */
  async function open(number: string) {
    await operator.goto(`${desk.web}/admin/exchanges/${number}`);
    await operator.getByRole('heading', { name: number }).waitFor();
  }

  async function press(key: string) {
    await eventually(`The dialog of ${key} is open`, async () => {
      await operator.keyboard.press(key);
      return operator.getByRole('dialog').isVisible();
    });
    return operator.getByRole('dialog');
  }

  async function claim() {
    await eventually('The exchange is claimed', async () => {
      await operator.keyboard.press('c');
      return operator
        .getByText(/yours for/)
        .first()
        .isVisible();
    });
  }

  const send = () => operator.keyboard.press('Enter');
  const seen = (number: string) =>
    callApi<Seen>(operator.context(), desk, 'GET', `/api/admin/exchanges/${number}`);

  it('499 came instead of 500: the operator sees what each decision pays out, and recalculates', async () => {
    const { page, number } = await customerWith('Sho Rt');
    await open(number);
    await claim();
    const dialog = await press('a');
    await dialog.getByLabel('Amount received').fill('99');
    await dialog.getByText('Recalculate at the locked rate').click();
    await shot(operator, 'approve');
    await dialog.getByRole('button', { name: /^Approve/ }).click();
    await operator.getByText('Approved. It is in the queue to pay out.').waitFor();
    const { receive_amount } = await seen(number);
    await page.getByText('Your amounts have changed').waitFor();
    await page.getByText(receive_amount).first().waitFor();
    await shot(page, 'customer-changed');
  });

  it('a question is answered on the page, and the exchange is back with who asked', async () => {
    const { page, number } = await customerWith('Ques Tion');
    await open(number);
    await claim();
    const dialog = await press('q');
    await dialog.getByLabel('Question').fill('Is this your own account?');
    await shot(operator, 'ask');
    await dialog.getByRole('button', { name: 'Send the question' }).click();
    await operator.getByText('The question is sent.').waitFor();
    await shot(operator, 'on-hold');
    await page.getByText('Is this your own account?').first().waitFor();
    await shot(page, 'customer-question');
    await page.getByLabel('Your answer').fill('Yes, at my bank.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByText('Your answer is sent').first().waitFor();
    await eventually('It is back', async () => (await seen(number)).state === 'payment_submitted');
  });

  it('money is refunded to the account that the customer enters', async () => {
    const { page, number } = await customerWith('Re Fund');
    await open(number);
    await claim();
    const receipt = await press('m');
    await receipt.getByLabel('Amount received').fill('60');
    await shot(operator, 'receipt');
    await receipt.getByRole('button', { name: /^Record/ }).click();
    await operator.getByText('Recorded.', { exact: true }).waitFor();
    const refund = await press('b');
    await refund.getByRole('button', { name: 'Asked for' }).click();
    await shot(operator, 'refund');
    await refund.getByRole('button', { name: /^Refund/ }).click();
    await operator.getByText('The refund is begun.').waitFor();
    await shot(operator, 'refund-pending');
    await page.getByLabel('Account for the refund').fill('Bank of Ann, 12345');
    await shot(page, 'customer-refund');
    await page.getByRole('button', { name: 'Use this account' }).click();
    await page.getByText('The account is saved').first().waitFor();
    await operator.reload();
    const pay = await press('f');
    await pay.getByLabel('Reference of the refund').fill('BACK-1');
    await shot(operator, 'pay-refund');
    await send();
    await operator.getByText('The refund is booked as paid.').waitFor();
    await page.getByText('Paid back').first().waitFor();
    assert.equal((await seen(number)).state, 'refunded');
  });

  it('a late payment goes on, its payout comes back, and it is paid to another account', async () => {
    const { page, number } = await customerWith('La Te', false);
    const { version } = await callApi<Seen>(
      page.context(),
      desk,
      'GET',
      `/api/exchanges/${number}`,
    );
    await callApi(page.context(), desk, 'POST', `/api/exchanges/${number}/cancellation`, {
      version,
    });
    await open(number);
    const late = await press('l');
    await late.getByLabel('Amount received').fill('100');
    await late.getByText('At the locked rate').click();
    await shot(operator, 'late');
    await late.getByRole('button', { name: /^Record/ }).click();
    await operator.getByText('Recorded.', { exact: true }).waitFor();
    const approve = await press('a');
    await approve.getByLabel('Received now').fill('0');
    await approve.getByRole('button', { name: /^Approve/, disabled: false }).click();
    await operator.getByText('Approved. It is in the queue to pay out.').waitFor();
    const complete = await press('p');
    await complete.getByLabel('Payout reference').fill('OUT-1');
    await complete.getByRole('button', { name: /^Paid out/ }).click();
    await operator.getByText('Paid out and booked.').waitFor();
    const reopen = await press('e');
    await reopen.getByRole('button', { name: 'No such account' }).click();
    await shot(operator, 'reopen');
    await reopen.getByRole('button', { name: /^Payout returned/ }).click();
    await operator.getByText('The payout is to be sent again.').waitFor();
    await page.goto(`${desk.web}/exchanges/${number}`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Change the payout account' }).first().click();
    await page.getByLabel('IBAN').fill('GB29NWBK60161331926819');
    await shot(page, 'customer-payout');
    await page.getByRole('button', { name: 'Use this account' }).click();
    await page.getByText('The payout account is changed').first().waitFor();
    const changed = await seen(number);
    assert.deepEqual([changed.state, changed.exception], ['approved', 'returned']);
    await operator.reload();
    await operator.getByText('Only an operator who did not approve may pay out before').waitFor();
    await shot(operator, 'payout-waits');
  });
});
