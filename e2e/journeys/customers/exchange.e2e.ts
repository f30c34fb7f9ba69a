/**
 * A customer makes an exchange, an operator approves it and pays out, and the public sees it with
 * initials only.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { callApi } from '../../support/api.ts';
import { linkIn } from '../../support/mailbox.ts';
import { newCustomer, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { newTab, newVisitor, phone, screen, signInAsAdmin, signUp } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;
const person = newPerson('Amara Moreau');
const iban = 'DE89370400440532013000';

/** A photo of a receipt, as large as phones make them. */
function receiptPhoto(words: string): Promise<Buffer> {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1600">
    <rect width="100%" height="100%" fill="#f4f1e8"/>
    <text x="90" y="220" font-size="72" font-family="sans-serif">${words}</text></svg>`;
  return sharp(Buffer.from(picture))
    .jpeg({ quality: 90 })
    .withExif({ IFD0: { Make: 'Telephone' } })
    .toBuffer();
}

/** Collects errors of the page, of the policy and of the service. */
function watch(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused to/.test(message.text())) {
      faults.push(`${page.url()}: ${message.text()}`);
    }
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
}

/** How wide each picture of the page is: 0 until it has loaded. */
function widths(page: Page): Promise<number[]> {
  return page
    .locator('img')
    .evaluateAll((images) =>
      images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    );
}

/** Waits until the focus is on an element with this text. */
async function focusAt(page: Page, text: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement === document.body ? "the body" : document.activeElement.textContent.trim()',
    );
  await eventually(`The focus is at ${text}`, async () => text.test(await focused()));
}

describe('an exchange', () => {
  const faults: string[] = [];
  let customer: Page;
  let operator: Page;
  let number = '';
  let received = '';

  before(async () => {
    customer = await newVisitor(browser);
    operator = await newVisitor(browser, { viewport: screen });
    watch(customer, faults);
    watch(operator, faults);
  });
  it('The converter’s amounts stay through sign-up and confirmation', async () => {
    await customer.goto(`${desk.web}/?pair=usd-to-eur`);
    const send = customer.getByRole('textbox', { name: 'You send', exact: true });
    // Key by key: a field that reads its own answer back would lose some.
    await send.clear();
    await send.pressSequentially('500');
    const link = customer.getByRole('link', { name: /^Exchange 500\.00 USD/ });
    await link.waitFor();
    received = (
      await customer.getByRole('textbox', { name: 'You receive', exact: true }).inputValue()
    ).replaceAll(',', '');
    assert.match(received, /^\d+\.\d{2}$/);
    await link.click();

    await customer.waitForURL(/\/signup\?next=/);
    await signUp(customer, person);
    await customer.waitForURL(/\/preview\?/);
    assert.equal(
      await customer.getByRole('textbox', { name: 'You send', exact: true }).inputValue(),
      '500.00',
    );
    assert.equal(
      (
        await customer.getByRole('textbox', { name: 'You receive', exact: true }).inputValue()
      ).replaceAll(',', ''),
      received,
    );
    const tab = await newTab(customer.context());
    await tab.goto(linkIn(await mailbox.read(person.email, /^Confirm/)));
    await tab.getByRole('button', { name: 'Confirm the address' }).click();
    // Before the page's script has loaded, the plain form is sent, and no toast comes.
    await tab.waitForURL(/\/preview\?/);
    await tab.close();
  });

  it('The customer enters the details, sees the whole price and makes one exchange', async () => {
    await customer.getByRole('button', { name: /^Continue with 500\.00 USD/ }).click();
    await focusAt(customer, /^Your details$/);
    await customer.getByLabel('Account holder').fill('Amara Moreau');
    await customer.getByLabel('IBAN').fill(iban);
    await customer.getByLabel('Name on the sending account').fill('Amara Moreau');
    await customer.getByRole('button', { name: 'Continue to the price' }).click();
    await customer.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await focusAt(customer, /^Review$/);
    await customer.getByRole('checkbox', { name: /I accept/ }).check();
    await customer.getByRole('button', { name: 'Exchange 500.00 USD' }).dblclick();
    await customer.waitForURL(/\/exchanges\/CX-/);
    number = new URL(customer.url()).pathname.split('/').at(-1) ?? '';
    assert.match(number, /^CX-\w{4}-\w{4}$/);

    await customer.goto(`${desk.web}/exchanges`);
    assert.equal(await customer.getByRole('link', { name: new RegExp(number) }).count(), 1);
    await customer.goto(`${desk.web}/exchanges/${number}`);
    await customer.getByText('Pay exactly').first().waitFor();
  });

  it('The customer uploads a JPEG as proof and reports the payment', async () => {
    const otherTab = await newTab(customer.context());
    await otherTab.goto(`${desk.web}/exchanges/${number}`, { waitUntil: 'networkidle' });
    const photo = await receiptPhoto('500.00 USD sent');
    await customer.locator('input[type=file]').setInputFiles({
      name: 'receipt.jpg',
      mimeType: 'image/jpeg',
      buffer: photo,
    });
    await customer.getByText('receipt.jpg').first().waitFor();
    await customer.getByText('Received').first().waitFor();
    await otherTab.getByRole('link', { name: 'Open receipt.jpg' }).waitFor();
    await otherTab.close();
    await customer.getByRole('button', { name: 'I have paid' }).click();
    await customer.getByText('We’re looking for your payment').first().waitFor();
    await focusAt(customer, /^We’re looking for your payment$/);
  });

  it('The operator claims, looks at the proof, approves and pays out', async () => {
    await signInAsAdmin(operator, desk);
    await operator.goto(`${desk.web}/admin/exchanges/${number}`);
    // A key does nothing before the page's script has loaded.
    await eventually('The script has loaded', async () => {
      await operator.keyboard.press('a');
      return operator.getByRole('status').getByText('Claim it first').isVisible();
    });
    await operator.getByRole('button', { name: /^Claim/ }).click();
    await operator
      .getByText(/yours for/)
      .first()
      .waitFor();
    const proof = operator.locator('img[src^="blob:"], img[src*="/file"]').first();
    await proof.waitFor();
    await eventually('The proof is shown', async () =>
      (await widths(operator)).some((width) => width > 300),
    );

    await operator.keyboard.press('a');
    const approve = operator.getByRole('dialog');
    await approve.getByLabel('Amount received').fill('500');
    await approve.getByRole('button', { name: /^Approve/ }).click();
    await operator.getByText('Approved. It is in the queue to pay out.').waitFor();
    await focusAt(operator, new RegExp(`^${number}$`));

    const payOut = await openPayout(operator, 'SEPA-2026-0001');
    await operator.getByText(/^Only you can pay this out until/).waitFor();
    // A payout at the same time, from another tab.
    const late = await newTab(operator.context());
    await late.setViewportSize(phone);
    await late.goto(operator.url(), { waitUntil: 'networkidle' });
    const lost = await openPayout(late, 'SEPA-2026-0002');

    await payOut.getByRole('button', { name: /^Paid out/ }).click();
    await operator.getByText('Paid out and booked.').waitFor();
    await focusAt(operator, new RegExp(`^${number}$`));

    // The second operator may have sent the money too: both references stay to be read.
    await lost.getByRole('button', { name: /^Paid out/ }).click();
    await focusAt(late, /already been paid out.*SEPA-2026-0001.*it was sent twice/s);
    assert.equal(await lost.getByRole('textbox').inputValue(), 'SEPA-2026-0002');
    await lost.getByRole('button', { name: 'Close' }).last().click();
    await lost.waitFor({ state: 'detached' });
    await late.close();
  });

  /** The dialog of the payout, with its reference entered. */
  async function openPayout(page: Page, reference: string): Promise<Locator> {
    await eventually('The dialog is open', async () => {
      await page.keyboard.press('p');
      return page.getByRole('dialog').isVisible();
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Payout reference').fill(reference);
    return dialog;
  }

  it('The customer sees the payout without a reload, the public sees initials, and another customer nothing', async () => {
    await customer.getByText('Done: the money is on its way to you').first().waitFor();
    await customer.getByText('SEPA-2026-0001').first().waitFor();
    // What happens after the end shows as well.
    const messages = `/api/admin/exchanges/${number}/messages`;
    await callApi(operator.context(), desk, 'POST', messages, { text: 'Thank you for waiting.' });
    await customer.getByText('Thank you for waiting.').waitFor({ timeout: 5_000 });

    const guest = await newVisitor(browser);
    await guest.goto(desk.web);
    const latest = guest.locator('li', { hasText: 'A. M.' }).first();
    await latest.waitFor();
    assert.match((await latest.innerText()).replaceAll(',', ''), new RegExp(received));
    assert.doesNotMatch(await guest.content(), /Amara|Moreau/);
    const { page: stranger } = await newCustomer(shared, 'Str Anger');
    const answer = await stranger.request.get(`${desk.api}/api/exchanges/${number}`, {
      headers: { origin: desk.web },
    });
    assert.equal(answer.status(), 404);
    for (const path of [
      '/transaction-proofs/',
      '/public/transaction-proofs/',
      '/storage/public/transaction-proofs/',
    ]) {
      assert.equal((await stranger.request.get(desk.api + path)).status(), 404);
      assert.equal((await stranger.request.get(desk.web + path)).status(), 404);
    }
    assert.deepEqual(faults, []);
  });

  it('An operator whose payout got no answer sees it completed once the page has read it again', async () => {
    const queue = '/api/admin/exchanges?queue=to_pay_out';
    const [other] = await callApi<{ number: string }[]>(operator.context(), desk, 'GET', queue);
    await operator.goto(`${desk.web}/admin/exchanges/${other?.number}`);
    const payOut = await openPayout(operator, 'SEPA-LOST');
    await operator.getByText(/^Only you can pay this out until/).waitFor();
    // The request arrives, and from then on no answer comes back.
    const path = `**/api/admin/exchanges/${other?.number}**`;
    await operator.route(path, async (route) => {
      if (route.request().method() === 'POST') assert.equal((await route.fetch()).status(), 200);
      await route.abort();
    });
    await payOut.getByRole('button', { name: /^Paid out/ }).click();
    await payOut.getByText(/^No answer came/).waitFor();
    await payOut.getByRole('button', { name: 'Not now' }).click();
    const unknown = operator.getByText(/^No answer came/);
    await unknown.waitFor();
    await operator.unroute(path);
    // The page reads it again four times a minute.
    const completed = operator.locator('header').getByText('Paid out', { exact: true }).first();
    await completed.waitFor({ timeout: 60_000 });
    await unknown.waitFor({ state: 'detached' });
  });
});
