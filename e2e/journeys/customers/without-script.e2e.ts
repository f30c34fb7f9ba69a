/** The public pages in a browser without script: each form is a plain one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkIn } from '../../support/mailbox.ts';
import { newPerson, sharedDesk } from '../../support/shared-desk.ts';
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
