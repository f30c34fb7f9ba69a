/** The public pages and the account in a browser without script: each form is a plain one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { linkIn } from '../../support/mailbox.ts';
import { newCustomer, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, screen, signIn, signUp } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;
const newPage = () => newVisitor(browser, { javaScriptEnabled: false });

describe('a browser without script', () => {
  it('A visitor signs up and confirms with the amounts of the converter, and signs in again', async () => {
    const person = newPerson('Tomas Vidal');
    const amounts = '/preview?pair=usd-to-eur&side=receive&amount=50.00';
    const page = await newPage();
    await page.goto(`${desk.web}/signup?next=${encodeURIComponent(amounts)}`);
    await signUp(page, person);
    await page.waitForURL(`${desk.web}${amounts}`);
    await page.goto(linkIn(await mailbox.read(person.email, /^Confirm/)));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.waitForURL(`${desk.web}${amounts}`);

    await page.context().clearCookies();
    const next = '/rates?q=€ é';
    await page.goto(`${desk.web}/signin?next=${encodeURIComponent(next)}`);
    await signIn(page, { ...person, password: 'not the password' });
    await page.getByText('The email address or the password is wrong.').waitFor();
    await signIn(page, person);
    await page.waitForURL(/\/rates\?q=%E2%82%AC%20%C3%A9$/);
  });

  it('A customer changes the name, the password and the address', async () => {
    const { page, ...person } = await newCustomer(shared, 'Runa Aas', { javaScriptEnabled: false });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${desk.web}/account`);
    await page.getByLabel('Your name').fill('Runa of the Fjord');
    await press('Save');
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Runa of the Fjord');

    const password = 'another one nobody guesses';
    await press('Change the password');
    await page.getByLabel('Your password', { exact: true }).fill('not the one');
    await page.getByLabel('New password').fill(password);
    await press('Save the new password');
    await page.locator('input[name=current_password][aria-invalid=true]').waitFor();
    assert.ok(!(await page.content()).includes(password), 'No password comes back in the page.');
    await page.getByLabel('Your password', { exact: true }).fill(person.password);
    await page.getByLabel('New password').fill(password);
    await press('Save the new password');
    await page.getByText('Your password has been changed').waitFor();

    // An email went a moment ago, at sign-up; the next one has to wait a minute.
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update users set verification_sent_at = verification_sent_at - interval '5 minutes'
      where email = ${person.email}`;
    await sql.end();
    const { email } = newPerson('Runa New');
    await press('Change the address');
    await page.getByLabel('New email address').fill(email);
    await page.getByLabel('Your password', { exact: true }).fill(password);
    await press('Send an email to the new address');
    await page.getByText(`Open the link we emailed to ${email}. Until`).waitFor();
    await press('Keep the old address');
    await page.getByText('Until then nothing changes.').waitFor({ state: 'detached' });

    // Buttons that need a dialog are disabled, and the page says why.
    assert.ok(await page.getByRole('button', { name: 'Turn on' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Delete my account…' }).isDisabled());
    assert.ok((await page.content()).includes('Some of this page needs JavaScript'));
  });

  it('A visitor prices an amount, swaps the currencies and pages through the figures', async () => {
    const page = await newPage();
    await page.goto(`${desk.web}/?pair=usd-to-eur&amount=500`);
    await page.getByRole('link', { name: 'Swap what you send and receive' }).click();
    await page.waitForURL(/pair=eur-to-usd/);
    const receive = page.getByRole('textbox', { name: 'You receive', exact: true });
    assert.equal(await receive.inputValue(), '500.00');

    await page.goto(`${desk.web}/rates/usd-to-eur?range=month`);
    await page.getByRole('img', { name: /^Chart of the mid rate/ }).waitFor();
    await page.getByText('The figures as a table').click();
    const newest = await page.getByRole('rowheader').first().innerText();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/figures=2#figures$/);
    assert.notEqual(await page.getByRole('rowheader').first().innerText(), newest);
    await page.getByRole('textbox', { name: 'You send' }).fill('1000');
    await page.getByRole('button', { name: 'Update the price' }).click();
    await page.waitForURL(/\/rates\/usd-to-eur\?.*amount=1000/);
    await page.getByRole('link', { name: 'Exchange 1,000.00 USD' }).waitFor();
  });

  it('A visitor reads the blog: list, search, tag, post and its headings', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false, viewport: screen });
    await page.goto(desk.web);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Blog' })
      .click();
    assert.equal(await page.getByRole('article').count(), 5);
    await page.getByLabel('Search the blog').fill('clearing hou');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\?q=clearing\+hou$/);
    assert.equal(await page.getByRole('article').count(), 1);
    await page.getByLabel('Search the blog').fill('unicorns');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No posts match “unicorns”').waitFor();
    await page
      .getByRole('navigation', { name: 'Tags' })
      .getByRole('link', { name: 'Charts' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Posts about Charts' }).waitFor();
    await page.getByRole('link', { name: 'How to read a month of a rate' }).click();
    await page.getByRole('heading', { level: 1, name: 'How to read a month of a rate' }).waitFor();
    await page.getByRole('link', { name: 'What the choice is worth' }).first().click();
    assert.match(page.url(), /#text-what-the-choice-is-worth$/);
    assert.ok(await page.getByRole('link', { name: 'Send by email' }).isVisible());
    assert.equal(await page.getByRole('button', { name: 'Copy link' }).count(), 0);
  });
});
