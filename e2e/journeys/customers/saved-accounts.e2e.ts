/** A new customer is told their limit at the amounts, and pays out to an account that they save once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { changeSettings } from '../../support/api.ts';
import { newAdmin, newCustomer, rememberSettings, sharedDesk } from '../../support/shared-desk.ts';

const shared = await sharedDesk();
const { desk } = shared;
const iban = 'DE89370400440532013000';

/** The API asks for a confirmation once, as it does ten minutes after the sign-in. */
async function askForConfirmation(page: Page): Promise<void> {
  const headers = {
    'access-control-allow-origin': desk.web,
    'access-control-allow-credentials': 'true',
  };
  const json = { code: 'confirmation_required', message: 'Confirm first that it is you.' };
  await page.route('**/api/user/payout-accounts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, headers, json })
      : route.continue(),
  );
}

describe('a saved payout account', () => {
  let putBack: () => Promise<void>;
  let page: Page;
  let password = '';

  before(async () => {
    putBack = await rememberSettings(shared, ['desk']);
    ({ page, password } = await newCustomer(shared, 'Sol Vega'));
  });
  after(() => putBack());

  const amount = () => page.getByRole('textbox', { name: 'You send', exact: true });
  const details = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.getByRole('heading', { name: 'Your details', level: 1 }).waitFor();
  };
  const review = async (): Promise<void> => {
    await page.getByLabel('Name on the sending account').fill('Sol Vega');
    await page.getByRole('button', { name: 'Continue to the price' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await page.getByRole('checkbox', { name: /I accept/ }).check();
  };
  const order = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Exchange .* USD/ }).click();
    await page.waitForURL(/\/exchanges\/CX-/);
  };

  it('A new customer reads at the amount how much they can ask for now', async () => {
    const admin = await newAdmin(shared);
    await changeSettings(admin.context(), desk, 'desk', (value) => ({
      ...value,
      new_customer_reserve_percent: 1,
    }));
    await page.goto(`${desk.web}/preview?pair=usd-to-eur&side=send&amount=4000`, {
      waitUntil: 'networkidle',
    });
    await page.getByRole('button', { name: /^Continue with/ }).click();
    const reason = page.getByText(/^Until your first exchange is completed.*at most .* EUR/);
    await reason.waitFor();
    assert.equal(await amount().getAttribute('aria-invalid'), 'true');
    assert.ok(await amount().evaluate((field) => field.matches(':focus')));
    await amount().fill('100');
    await reason.waitFor({ state: 'detached' });
  });

  it('The exchange is made although the customer does not confirm, and the page says what is not saved', async () => {
    await details();
    assert.equal(await page.getByLabel('Saved account').count(), 0);
    await page.getByLabel('Account holder').fill('Sol Vega');
    await page.getByLabel('IBAN').fill(iban);
    await review();
    await page.getByRole('checkbox', { name: 'Save this account for the next time' }).check();
    await askForConfirmation(page);
    await order();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/payout account was not saved/).waitFor();
    await page.getByText('Pay exactly').first().waitFor();
    await page.unroute('**/api/user/payout-accounts');
  });

  it('The account is saved with the next exchange, and chosen for the one after', async () => {
    await page.goto(`${desk.web}/preview?pair=usd-to-eur&side=send&amount=101`, {
      waitUntil: 'networkidle',
    });
    await details();
    await page.getByLabel('Account holder').fill('Sol Vega');
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
    await review();
    await page.getByRole('checkbox', { name: 'Save this account for the next time' }).check();
    await page.getByLabel('Name of the account').fill('Sol at the bank');
    await askForConfirmation(page);
    await order();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Your password').fill(password);
    await page.unroute('**/api/user/payout-accounts');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The payout account is saved').waitFor();

    await page.goto(`${desk.web}/preview?pair=usd-to-eur&side=send&amount=102`, {
      waitUntil: 'networkidle',
    });
    await details();
    const saved = page.getByLabel('Saved account');
    await saved.selectOption({ label: `Sol at the bank, ${iban}` });
    assert.equal(await page.getByLabel('IBAN').inputValue(), iban);
    await page.getByLabel('Account holder').fill('Sol Vega Ltd');
    assert.equal(await saved.inputValue(), '');
    await page.getByLabel('Account holder').fill('Sol Vega');
    await review();
    const checkboxes = page.getByRole('checkbox');
    assert.equal(await checkboxes.count(), 1, 'it is saved already');
  });

  it('It is named anew and deleted on the account page', async () => {
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Rename “Sol at the bank”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Household');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete “Household”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You haven’t saved any.', { exact: false }).waitFor();
  });
});
