/** A customer's account: its emails, its password, its address, its sessions and its end. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { linkIn } from '../../support/mailbox.ts';
import { newCustomer, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { lookAgain, newTab, newVisitor, signIn, signUp } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;
const newPassword = 'another one nobody guesses';

describe('an account', () => {
  it('A customer confirms the address on another device and goes on with the converter’s amounts', async () => {
    const person = newPerson('Noor Haddad');
    const amounts = '/preview?pair=usd-to-eur&side=send&amount=321';
    const page = await newVisitor(browser);
    await page.goto(`${desk.web}/signup?next=${encodeURIComponent(amounts)}`);
    await signUp(page, person);
    await page.waitForURL(`${desk.web}${amounts}`);
    await page.goto(`${desk.web}/account`);
    await page.getByText('Not confirmed', { exact: true }).waitFor();
    const link = linkIn(await mailbox.read(person.email, /^Confirm/));
    assert.doesNotMatch(link, /preview|321/);

    // On another device the link asks its owner to sign in first: a stranger who has typed the
    // address must not have it confirmed by the reader of its emails.
    const elsewhere = await newVisitor(browser);
    await elsewhere.goto(link);
    await elsewhere.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(elsewhere, person);
    await elsewhere.getByRole('button', { name: 'Confirm the address' }).click();
    await elsewhere.waitForURL(`${desk.web}${amounts}`);
    await elsewhere.getByText('Your address is confirmed').waitFor();
    const send = elsewhere.getByRole('textbox', { name: 'You send', exact: true });
    assert.equal(await send.inputValue(), '321.00');

    await lookAgain(page);
    await page.getByText('Confirmed', { exact: true }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'already confirmed' }).waitFor();
    await page.getByRole('link', { name: 'Continue where you left off' }).click();
    await page.waitForURL(`${desk.web}${amounts}`);
  });

  it('A customer gets a new password by an email whose link ends the sessions and works once', async () => {
    const { page, ...person } = await newCustomer(shared, 'Ines Duarte');
    const elsewhere = await newVisitor(browser);
    await elsewhere.goto(`${desk.web}/forgot-password`);
    await elsewhere.getByLabel('Email address').fill(person.email);
    await elsewhere.getByRole('button', { name: 'Send me an email' }).click();
    await elsewhere.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await elsewhere.getByText(person.email, { exact: true }).waitFor();
    assert.doesNotMatch(elsewhere.url(), /ines/, 'Logs and histories store addresses of pages.');
    // The next user of this browser does not see the address.
    await elsewhere.reload();
    await elsewhere.getByRole('button', { name: 'Send me an email' }).waitFor();
    assert.equal(await elsewhere.getByText(person.email).count(), 0);

    const link = linkIn(await mailbox.read(person.email, /new password/));
    await elsewhere.goto(link);
    await elsewhere
      .getByLabel(/password/i)
      .first()
      .fill(newPassword);
    await elsewhere.getByRole('button', { name: 'Save the new password' }).click();
    await elsewhere.waitForURL(/\/signin/);
    await mailbox.read(person.email, /password was changed/i);

    await page.goto(`${desk.web}/account`);
    await page.waitForURL(/\/signin\?next=/);
    await signIn(page, person);
    await page.getByText('The email address or the password is wrong.').waitFor();
    await signIn(page, { ...person, password: newPassword });
    await page.waitForURL(`${desk.web}/account`);

    await elsewhere.goto(link);
    await elsewhere.getByText(/was already used/).waitFor();
    assert.equal(await elsewhere.getByLabel(/password/i).count(), 0);
  });

  it('A customer changes the address by a link, of which the old address gets an email', async () => {
    const { page, ...person } = await newCustomer(shared, 'Vigdis Berg');
    const { email } = newPerson('Vigdis New');
    await page.goto(`${desk.web}/account`);
    const section = page.locator('section').filter({ hasText: person.email }).last();
    await section.getByRole('button', { name: 'Change the address' }).click();
    await section.getByLabel('New email address').fill(email);
    await section.getByLabel('Your password', { exact: true }).fill(person.password);
    await section.getByRole('button', { name: 'Send an email to the new address' }).click();
    await section.getByText(email).first().waitFor();
    assert.match(await mailbox.read(person.email, /wants to change/), /Our address: \S+@\S+/);
    const link = linkIn(await mailbox.read(email, /new email address/));

    const { page: other } = await newCustomer(shared, 'Ada Stein');
    await other.goto(`${link}x`);
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    // Another user who is signed in there signs out by one button, and comes back to the link.
    await other.goto(link);
    await other.getByRole('button', { name: 'Sign out and continue' }).click();
    await other.waitForURL(/\/signin/);
    await signIn(other, person);
    await other.getByText('All your other sessions end.').waitFor();
    await other.getByRole('button', { name: 'Use this address' }).click();
    await other.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await other.goto(link);
    await other.getByRole('heading', { name: 'already confirmed' }).waitFor();
  });

  it('A customer ends one session by keyboard, and then all others', async () => {
    const { page, ...person } = await newCustomer(shared, 'Runa Aas');
    for (let number = 0; number < 2; number += 1) {
      const elsewhere = await newVisitor(browser);
      await elsewhere.goto(`${desk.web}/signin?next=%2Faccount`);
      await signIn(elsewhere, person);
      await elsewhere.waitForURL(`${desk.web}/account`);
    }
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    const rows = page.locator('#sessions li').filter({ has: page.locator('button') });
    assert.equal(await rows.count(), 2);
    const session = (row: typeof rows) => row.locator('button').getAttribute('id');
    const next = await session(rows.last());
    await rows.first().getByRole('button').press('Enter');
    await page.getByText('The session has ended').waitFor();
    await page.locator('#sessions button:focus').waitFor();
    const focused = page.locator('#sessions li').filter({ has: page.locator(':focus') });
    assert.equal(await session(focused), next);
    await page.getByRole('button', { name: 'End all other sessions' }).press('Enter');
    await page.locator('#sessions h2:focus').waitFor();
    assert.equal(await rows.count(), 0);
  });

  it('A customer deletes the account once no exchange is open', async () => {
    const { page, email } = await newCustomer(shared, 'Ilse Brandt');
    const sql = connect(desk.databaseUrl(), 1);
    // One of the demo desk's, since all that matters of it is its state.
    const [borrowed] = await sql<{ number: string; user_id: string }[]>`
      select number, user_id from exchanges where state = 'awaiting_payment' limit 1`;
    assert.ok(borrowed);
    const { number, user_id } = borrowed;
    await sql`update exchanges set user_id = (select id from users where email = ${email})
      where number = ${number}`;
    await page.goto(`${desk.web}/account`);
    await page.getByText('You still have an open exchange').waitFor();
    const link = page.getByRole('link', { name: number });
    assert.equal(await link.getAttribute('href'), `/exchanges/${number}`);
    assert.equal(await page.getByRole('button', { name: 'Delete my account…' }).count(), 0);
    await sql`update exchanges set user_id = ${user_id} where number = ${number}`;
    await sql.end();

    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Delete my account…' }).click();
    await page.getByLabel(`Type ${email} to confirm`).fill(email);
    await page.getByRole('button', { name: 'Delete my account for good' }).click();
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/account/deleted');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
  });
});

describe('a session', () => {
  it('Axios signs in from the frontend with withCredentials and withXSRFToken', async () => {
    const script = new URL('../../../node_modules/axios/dist/axios.min.js', import.meta.url);
    const page = await newVisitor(browser, { bypassCSP: true });
    await page.goto(`${desk.web}/signin`);
    await page.addScriptTag({ content: await readFile(script, 'utf8') });
    await page.context().clearCookies();
    const statuses = await page.evaluate<unknown[]>(`(async () => {
      const client = axios.create({
        baseURL: ${JSON.stringify(desk.api)},
        withCredentials: true,
        withXSRFToken: true,
        validateStatus: null,
      });
      const admin = ${JSON.stringify(desk.admin)};
      const early = await client.post('/api/auth/signin', admin);
      const cookie = await client.get('/stateful/csrf-cookie');
      const signedIn = await client.post('/api/auth/signin', admin);
      const user = await client.get('/api/user');
      const signedOut = await client.post('/api/auth/signout');
      const nobody = await client.get('/api/user');
      return [
        early.status, early.data.message, cookie.status, signedIn.status,
        user.data.email, signedOut.status, nobody.status,
      ];
    })()`);
    const expected = [419, 'CSRF token mismatch.', 204, 200, desk.admin.email, 204, 401];
    assert.deepEqual(statuses, expected);
  });

  it('A page writes nothing in the account of another user, and reloads for that user', async () => {
    const other = newPerson('Yolanda');
    const { page } = await newCustomer(shared, 'Xaver');
    await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await page.getByLabel('Your name').fill('Xaver Xander');
    const tab = await newTab(page.context());
    await tab.context().clearCookies();
    await tab.goto(`${desk.web}/signup?next=%2Faccount`);
    await signUp(tab, other);
    await tab.waitForURL(`${desk.web}/account`);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Another person is signed in in this browser now.').waitFor();
    const reloaded = page.waitForEvent('load');
    await lookAgain(page);
    await reloaded;
    assert.equal(await page.getByLabel('Your name').inputValue(), other.name);
  });
});
