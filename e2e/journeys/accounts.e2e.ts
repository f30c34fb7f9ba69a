/** An account from its first letter to a new password, by real letters over SMTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { linkIn } from '../letter-box.ts';
import { newAdmin, newPerson, sharedDesk } from '../shared-desk.ts';
import { lookAgain, newVisitor, phone, signIn, signUp } from '../visitor.ts';

const shared = await sharedDesk();
const { desk, browser, box } = shared;
const person = newPerson('Noor Haddad');
const newPassword = 'another one nobody guesses';

describe('an account and its letters', () => {
  let page: Page;

  async function askForAddress(as: Page, email: string): Promise<void> {
    const section = as.locator('section').filter({ hasText: person.email }).last();
    await section.getByRole('button', { name: 'Change the address' }).click();
    await section.getByLabel('New e-mail address').fill(email);
    await section.getByLabel('Your password', { exact: true }).fill(newPassword);
    await section.getByRole('button', { name: 'Send an email to the new address' }).click();
    await section.getByText(email).first().waitFor();
  }

  it('is confirmed by the link of its first letter', async () => {
    page = await newVisitor(browser);
    await page.goto(`${desk.web}/signup`);
    await signUp(page, person);
    await page.waitForURL(/\/(preview|exchanges)/);
    await page.goto(`${desk.web}/account`);
    await page.getByText('Not confirmed', { exact: true }).waitFor();

    // On another device the link asks its owner to sign in first: a stranger who has typed the
    // address must not have it confirmed by whoever reads its letters.
    const elsewhere = await newVisitor(browser);
    await elsewhere.goto(linkIn(await box.read(person.email, /^Confirm/)));
    await elsewhere.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(elsewhere, person);
    await elsewhere.getByRole('button', { name: 'Confirm the address' }).click();
    await elsewhere.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await elsewhere.context().close();

    // The page that waited for it hears of it as soon as it is looked at again.
    await lookAgain(page);
    await page.getByText('Confirmed', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('E-mail address not confirmed').count(), 0);
  });

  it('goes on with the amounts from the converter by its first letter, on any device', async () => {
    const ines = newPerson('Ines Duarte');
    const amounts = '/preview?pair=usd-to-eur&side=send&amount=321';
    const lands = async (as: Page) => {
      await as.getByRole('button', { name: 'Confirm the address' }).click();
      await as.waitForURL(`${desk.web}${amounts}`);
      const send = as.getByRole('textbox', { name: 'You send', exact: true });
      assert.equal(await send.inputValue(), '321.00');
    };
    const here = await newVisitor(browser);
    await here.goto(`${desk.web}/?pair=usd-to-eur`);
    const send = here.getByRole('textbox', { name: 'You send', exact: true });
    await send.clear();
    await send.pressSequentially('321');
    await here.getByRole('link', { name: /^Exchange 321\.00 USD/ }).click();
    await here.waitForURL(/\/signup\?next=/);
    await signUp(here, ines);
    await here.waitForURL(`${desk.web}${amounts}`);
    const link = linkIn(await box.read(ines.email, /^Confirm/));
    assert.doesNotMatch(link, /preview|321/);

    const elsewhere = await newVisitor(browser);
    await elsewhere.goto(link);
    await elsewhere.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(elsewhere, ines);
    await lands(elsewhere);
    await elsewhere.getByText('Your address is confirmed').waitFor();
    await elsewhere.context().close();

    // Followed once more, the link still leads there.
    await here.goto(link);
    await here.getByRole('heading', { name: 'already confirmed' }).waitFor();
    await here.getByRole('link', { name: 'Continue where you left off' }).click();
    await here.waitForURL(`${desk.web}${amounts}`);
    await here.context().close();
  });

  it('goes on with the amounts without script, too', async () => {
    const tomas = newPerson('Tomas Vidal');
    const amounts = '/preview?pair=usd-to-eur&side=receive&amount=50.00';
    const here = await newVisitor(browser, { javaScriptEnabled: false });
    await here.goto(`${desk.web}/signup?next=${encodeURIComponent(amounts)}`);
    await signUp(here, tomas);
    await here.waitForURL(`${desk.web}${amounts}`);
    await here.goto(linkIn(await box.read(tomas.email, /^Confirm/)));
    await here.getByRole('button', { name: 'Confirm the address' }).click();
    await here.waitForURL(`${desk.web}${amounts}`);
    await here.context().close();
  });

  it('gets a new password by letter, which ends its sessions and works once', async () => {
    const elsewhere = await newVisitor(browser);
    await elsewhere.goto(`${desk.web}/forgot-password`);
    await elsewhere.getByLabel('E-mail address').fill(person.email);
    await elsewhere.getByRole('button', { name: 'Send me an email' }).click();
    await elsewhere.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await elsewhere.getByText(person.email, { exact: true }).waitFor();
    assert.doesNotMatch(elsewhere.url(), /noor/, 'The address of a page is kept in many places.');
    await elsewhere.getByRole('link', { name: 'Send again or use another address' }).click();
    assert.equal(await elsewhere.getByLabel('E-mail address').inputValue(), person.email);
    // Whoever sits down there next is not told whose address it was.
    await elsewhere.goBack();
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    assert.equal(await elsewhere.getByText(person.email).count(), 0);
    await elsewhere.getByRole('link', { name: 'Send again or use another address' }).click();
    assert.equal(await elsewhere.getByLabel('E-mail address').inputValue(), '');

    const link = linkIn(await box.read(person.email, /new password/));
    await elsewhere.goto(link);
    await elsewhere
      .getByLabel(/password/i)
      .first()
      .fill(newPassword);
    await elsewhere.getByRole('button', { name: 'Save the new password' }).click();
    await elsewhere.waitForURL(/\/signin/);
    assert.match(await box.read(person.email, /password was changed/i), /password/);

    await page.goto(`${desk.web}/account`);
    await page.waitForURL(/\/signin\?next=/);
    await page.goto(`${desk.web}/signin`);
    await signIn(page, person);
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await signIn(page, { ...person, password: newPassword });
    await page.waitForURL(/\/exchanges/);

    // The page says at once that the link is dead, before anything is typed.
    await elsewhere.goto(link);
    await elsewhere.getByText(/was already used/).waitFor();
    assert.equal(await elsewhere.getByLabel(/password/i).count(), 0);
    await elsewhere.context().close();
  });

  it('has an answer to who forgot it that can be reloaded without script, too', async () => {
    const plain = await newVisitor(browser, { javaScriptEnabled: false });
    await plain.goto(`${desk.web}/forgot-password?next=%2Frates`);
    await plain.getByLabel('E-mail address').fill('nobody@example.com');
    await plain.getByRole('button', { name: 'Send me an email' }).click();
    const address = plain.getByText('nobody@example.com', { exact: true });
    const heading = plain.getByRole('heading', { name: 'Check your inbox' });
    await heading.waitFor();
    await address.waitFor();
    await plain.reload();
    await heading.waitFor();
    assert.equal(await address.count(), 0, 'It is told once.');
    const back = plain.getByRole('main').getByRole('link', { name: 'Sign in' });
    assert.equal(await back.getAttribute('href'), '/signin?next=%2Frates');
    // Who comes to this browser next is not told whose address it was.
    await plain.goto(`${desk.web}/forgot-password`);
    assert.equal(await plain.getByLabel('E-mail address').inputValue(), '');
    // A link that somebody made says nothing of the kind.
    const another = await newVisitor(browser);
    await another.goto(`${desk.web}/forgot-password?sent`);
    await another.getByRole('button', { name: 'Send me an email' }).waitFor();
    await Promise.all([plain.context().close(), another.context().close()]);
  });

  it('asks who forgot the password in a tab of its own, for the address that is signed in', async () => {
    await page.goto(`${desk.web}/account?change=email#email`);
    await page.getByLabel('New e-mail address').fill('half typed');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^Forgot it\?/ }).click();
    const tab = await opened;
    assert.equal(await tab.getByLabel('E-mail address').inputValue(), person.email);
    assert.equal(await page.getByLabel('New e-mail address').inputValue(), 'half typed');
    await tab.close();
  });

  it('moves to another address, told at the old one, by a link that says what it does', async () => {
    const { email } = newPerson('Noor New');
    await page.goto(`${desk.web}/account`);
    await askForAddress(page, email);
    assert.match(await box.read(person.email, /wants to change/), /Our address: \S+@\S+/);
    const link = linkIn(await box.read(email, /new e-mail address/));

    const guest = await newVisitor(browser);
    await guest.goto(`${link}x`);
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await guest.goto(link);
    await guest.getByText(`${email} is about to become`).waitFor();

    // Somebody else who is signed in there signs out with one press, and comes back to the link.
    await guest.goto(`${desk.web}/signup`);
    await signUp(guest, newPerson('Ada Stein'));
    await guest.waitForURL(/\/(preview|exchanges)/);
    await guest.goto(link);
    await guest.getByRole('button', { name: 'Sign out and continue' }).click();
    await guest.waitForURL(/\/signin/);
    await signIn(guest, { ...person, password: newPassword });
    await guest.getByText('All your other sessions end.').waitFor();
    await guest.getByRole('button', { name: 'Use this address' }).click();
    await guest.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'already confirmed' }).waitFor();
    await guest.context().close();
  });

  it('is seen whole by an admin on a telephone, however long its address is', async () => {
    const email = `${'wilhelmina.featherstonehaugh'.repeat(2)}@accounts.departments.example.com`;
    const guest = await newVisitor(browser);
    await guest.goto(`${desk.web}/signup`);
    await signUp(guest, { ...newPerson('Wilhelmina Featherstonehaugh'), email });
    await guest.waitForURL(/\/(preview|exchanges)/);
    await guest.context().close();
    const admin = await newAdmin(shared, { viewport: phone });
    await admin.goto(`${desk.web}/admin/users?q=${encodeURIComponent(email)}`);
    await admin.getByRole('link', { name: 'Wilhelmina Featherstonehaugh' }).click();
    await admin.getByText(`Nobody has confirmed ${email} yet`).waitFor();
    const wide = await admin.locator('html').evaluate((html) => html.scrollWidth);
    assert.equal(wide, 390);

    // What MAIL_URL decides is not to be changed in vain; the rest is.
    await admin.goto(`${desk.web}/admin/settings/mail`);
    await admin.getByText('Decided by MAIL_URL in the environment').first().waitFor();
    for (const name of ['Server name', 'Port', 'Encryption', 'User name'])
      assert.ok(await admin.getByLabel(name).first().isDisabled(), name);
    assert.ok(await admin.getByRole('button', { name: /^Set: Password/ }).isDisabled());
    for (const name of ['Sender’s name', 'Answers go to'])
      assert.ok(await admin.getByLabel(name).first().isEnabled(), name);
    await admin.context().close();
  });
});
