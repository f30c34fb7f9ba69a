/** Two people in one browser: what the first one's page asks for happens in nobody else's account. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { lookAgain, newTab, newVisitor, screen, signIn, signUp } from './visitor.ts';

const password = 'a sentence nobody guesses';
const xaver = { name: 'Xaver', email: 'xaver@example.com', password };
const yolanda = { name: 'Yolanda', email: 'yolanda@example.com', password };
/** Of these two, and none of the demo desk's people. */
const ofBoth = `u.email in ('${xaver.email}', '${yolanda.email}')`;
const alertsOfBoth = `select u.email from rate_alerts a join users u on u.id = a.user_id where ${ofBoth}`;
const exchangesOfBoth = `select u.name from exchanges e join users u on u.id = e.user_id where ${ofBoth}`;

describe('two people in one browser', () => {
  let desk: Desk;
  let browser: Browser;
  let first: Page;
  let second: Page;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    for (const person of [yolanda, xaver]) {
      first = await newVisitor(browser, { viewport: screen });
      await first.goto(`${desk.web}/signup`, { waitUntil: 'networkidle' });
      await signUp(first, person);
      await first.waitForURL(/\/preview/);
    }
    await run(`update users set email_verified_at = now(), verification_sent_at = null`);
    second = await newTab(first.context());
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  async function run(query: string): Promise<readonly Record<string, unknown>[]> {
    const sql = connect(desk.databaseUrl(), 1);
    const rows = await sql.unsafe(query);
    await sql.end();
    return [...rows];
  }

  async function leave(tab = second): Promise<void> {
    await tab.goto(`${desk.web}/signout`, { waitUntil: 'networkidle' });
    await tab.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL(({ pathname }) => pathname !== '/signout');
  }

  /** In the second tab, in place of whoever is signed in. */
  async function enter(person: typeof xaver, tab = second): Promise<void> {
    await leave(tab);
    await tab.goto(`${desk.web}/signin`, { waitUntil: 'networkidle' });
    await signIn(tab, person);
    await tab.waitForURL(({ pathname }) => pathname !== '/signin');
  }

  const notice = () => first.getByRole('dialog', { name: 'Somebody else is signed in here now' });
  const press = (name: string | RegExp) => first.getByRole('button', { name }).click();
  const names = async () =>
    (await run(`select u.name from users u where ${ofBoth} order by u.email`)).map(
      ({ name }) => name,
    );

  async function stay(): Promise<void> {
    await notice().getByRole('button', { name: 'Stay here' }).click();
    await notice().waitFor({ state: 'detached' });
  }

  it('an exchange begun by one is not made for the other, and goes on when they are back', async () => {
    await first.goto(`${desk.web}/preview?pair=usd-to-eur&side=send&amount=500.00`, {
      waitUntil: 'networkidle',
    });
    await press(/^Continue with 500\.00 USD/);
    await first.getByLabel('Account holder').fill('Xaver Xander');
    await first.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
    await first.getByLabel('Name on the sending account').fill('Xaver Xander');
    await press('Continue to the price');
    await first.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await first.getByRole('checkbox').check();
    await enter(yolanda);
    await press('Exchange 500.00 USD');
    await notice().waitFor();
    assert.deepEqual(await run(exchangesOfBoth), []);
    await stay();
    await first.getByText('Somebody else is signed in here now, so nothing was done').waitFor();

    await enter(xaver);
    await press('Exchange 500.00 USD');
    await first.waitForURL(/\/exchanges\/CX-/);
    const made = await run(exchangesOfBoth);
    assert.deepEqual(
      made.map(({ name }) => name),
      ['Xaver'],
    );
  });

  it('an exchange says by itself that the other is here, and a proof that was kept from them can be tried again', async () => {
    await enter(xaver);
    await first.reload({ waitUntil: 'networkidle' });
    await enter(yolanda);
    await notice().waitFor();
    await stay();
    const noNews = first.getByText('so no news of this exchange comes');
    await noNews.waitFor();
    const buffer = await first.screenshot({ type: 'png' });
    const file = { name: 'proof.png', mimeType: 'image/png', buffer };
    await first.locator('input[type="file"]').setInputFiles(file);
    await notice().waitFor();
    await stay();
    await first.getByText('Somebody else was signed in here, so it was not sent.').waitFor();
    // It is said at each try, however often it was closed.
    const again = first.getByRole('button', { name: 'Try again: proof.png' });
    await again.click();
    await notice().waitFor();
    await stay();
    await lookAgain(first);
    await noNews.waitFor();

    await enter(xaver);
    await lookAgain(first);
    await noNews.waitFor({ state: 'detached' });
    await again.click();
    await again.waitFor({ state: 'detached' });
  });

  it('a proof opens as a page, also where the other is here, or nobody', async () => {
    const open = async () => {
      const popup = first.waitForEvent('popup');
      await first.getByRole('link', { name: 'Open proof.png' }).click();
      return popup;
    };
    await first.locator('li img').first().waitFor();
    await leave();
    const nobodys = await open();
    await nobodys.waitForURL(/\/signin\?next=\/exchanges\/CX-/);
    await nobodys.getByText('You are signed out, because the session ended.').waitFor();
    await enter(yolanda);
    await notice().waitFor();
    await stay();
    const others = await open();
    await others.waitForURL(`${desk.web}/exchanges?trouble=another_person`);
    await Promise.all([nobodys.close(), others.close()]);
  });

  it('what was refused is said no more when they are back', async () => {
    await enter(xaver);
    await first.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await enter(yolanda);
    await press('Save');
    await notice().waitFor();
    const refused = first.getByText('Somebody else is signed in here now, so nothing was done');
    await refused.waitFor();
    // As long as it is the other who is there, it holds. Who looks twice within a second sees nothing new.
    const answered = first.waitForResponse(/\/api\/user$/);
    const looking = setInterval(() => void lookAgain(first), 300);
    await answered.finally(() => clearInterval(looking));
    await stay();
    await refused.waitFor();
    await enter(xaver);
    await lookAgain(first);
    await notice().waitFor({ state: 'detached' });
    await refused.waitFor({ state: 'detached' });
  });

  it('and no more when the other has signed out, and nobody is there', async () => {
    await enter(xaver);
    await first.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await enter(yolanda);
    await press('Save');
    await notice().waitFor();
    await leave();
    // Who looks twice within a second sees nothing new.
    const looking = setInterval(() => void lookAgain(first), 300);
    await notice()
      .waitFor({ state: 'detached' })
      .finally(() => clearInterval(looking));
  });

  it('a plain form of one tells whose page came back', async () => {
    const plain = await newVisitor(browser, { viewport: screen, javaScriptEnabled: false });
    await plain.goto(`${desk.web}/signin`);
    await signIn(plain, xaver);
    await plain.waitForURL(({ pathname }) => pathname !== '/signin');
    await plain.goto(`${desk.web}/account`);
    await enter(yolanda, await newTab(plain.context()));
    await plain.getByLabel('Your name').fill('Somebody new');
    await plain.getByRole('button', { name: 'Save', exact: true }).click();
    await plain.getByText('Yolanda is signed in here now, and this page is theirs.').waitFor();
    assert.equal(await plain.getByLabel('Your name').inputValue(), 'Yolanda');
    await plain.getByRole('link', { name: 'Reload the page' }).click();
    await plain.waitForURL(`${desk.web}/account`);
    assert.equal(await plain.getByText('is signed in here now').count(), 0);
    assert.deepEqual(await names(), ['Xaver', 'Yolanda']);
    await plain.context().close();
  });

  it('a name that one saves is not given to the other', async () => {
    await enter(xaver);
    await first.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await first.getByLabel('Your name').fill('Xaver Maria');
    await enter(yolanda);
    await press('Save');
    await notice().waitFor();
    assert.deepEqual(await names(), ['Xaver', 'Yolanda']);
    await notice().getByRole('button', { name: 'Reload the page' }).click();
    await first.waitForFunction("document.querySelector('[name=name]')?.value === 'Yolanda'");
    await first.getByLabel('Your name').fill('Yolanda May');
    await press('Save');
    await first.getByText('Saved', { exact: true }).waitFor();
    assert.deepEqual(await names(), ['Xaver', 'Yolanda May']);
  });

  it('an alert that one sets by a plain form is not set for the other', async () => {
    await enter(xaver);
    await first.goto(`${desk.web}/rates/usd-to-eur`, { waitUntil: 'networkidle' });
    const set = async () => {
      await first.getByLabel('Rate in EUR for 1 USD').fill('2');
      await press('Set the alert');
    };
    await enter(yolanda);
    await set();
    await first.getByText('Yolanda May is signed in here now, and this page is theirs').waitFor();
    assert.deepEqual(await run(alertsOfBoth), []);
    // The page that came is Yolanda's own.
    await set();
    await first.waitForURL(/\/account\/alerts/);
    assert.deepEqual(await run(alertsOfBoth), [{ email: yolanda.email }]);
  });

  it('a file that one asks for is not made of what is the other’s', async () => {
    for (const [path, link] of [
      ['/exchanges', 'Download as CSV'],
      ['/account', 'Download my data'],
    ] as const) {
      await enter(xaver);
      await first.goto(`${desk.web}${path}`, { waitUntil: 'networkidle' });
      await enter(yolanda);
      await first.getByRole('link', { name: link }).click();
      await first.waitForURL(`${desk.web}${path}?trouble=another_person`);
      await first.getByText('That was asked for on another person’s page').waitFor();
    }
    await leave();
    await first.getByRole('link', { name: 'Download my data' }).click();
    await first.getByText('You are signed out, because the session ended.').waitFor();
    await enter(yolanda);
    await first.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    const download = first.waitForEvent('download');
    await first.getByRole('link', { name: 'Download my data' }).click();
    assert.equal((await download).suggestedFilename(), 'account.json');
  });

  it('an account that one deletes is not the other’s', async () => {
    await enter(yolanda);
    await first.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
    await first.getByRole('button', { name: 'Delete my account…' }).click();
    await first.getByRole('dialog').getByRole('textbox').fill(yolanda.email);
    await enter(xaver);
    await press('Delete my account for good');
    await notice().waitFor();
    assert.deepEqual(await names(), ['Xaver', 'Yolanda May']);
    await stay();

    await enter(yolanda);
    await press('Delete my account for good');
    await first.waitForURL(/\/account\/deleted/);
    assert.deepEqual(await names(), ['Xaver']);
  });
});
