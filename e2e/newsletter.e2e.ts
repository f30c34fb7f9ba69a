/** A subscriber's whole life by real SMTP, with a scanner that opens every link of every email. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Email } from 'postal-mime';
import type { Desk } from './desk.ts';
import { linkIn, openLetterBox, type LetterBox } from './letter-box.ts';
import { openOffice, type Office } from './office.ts';
import { newVisitor } from './visitor.ts';

const reader = 'rosa@example.com';
const subject = 'Rates this autumn';
/** Longer than the two seconds within which only a machine has typed. */
const typingMs = 2_300;

describe('the newsletter', () => {
  let box: LetterBox;
  let office: Office;
  let desk: Desk;
  let browser: Browser;
  let admin: Page;
  let letter: Email;

  before(async () => {
    box = await openLetterBox();
    office = await openOffice({ MAIL_URL: box.url });
    ({ desk, browser, page: admin } = office);
  });
  after(async () => {
    await office?.close();
    await box?.close();
  });

  /** As programs do that scan emails: every address, by GET and by HEAD, also those of the header. */
  async function scan({ html = '', text = '', headers }: Email): Promise<number> {
    const unsubscribe = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const found = `${html} ${text} ${unsubscribe}`.replaceAll('&amp;', '&');
    const links = new Set(found.match(/https?:\/\/[^\s"'<>)]+/g));
    for (const link of links) {
      for (const method of ['HEAD', 'GET']) {
        const answer = await fetch(link, { method });
        await answer.arrayBuffer();
        assert.ok(answer.status < 500, `${method} ${link} answered ${answer.status}`);
      }
    }
    return links.size;
  }

  async function stateOf(email: string): Promise<string> {
    await admin.goto(`${desk.web}/admin/subscribers?q=${encodeURIComponent(email)}`);
    return (await admin.getByRole('listitem').filter({ hasText: email }).innerText()).toLowerCase();
  }

  it('is asked for without script; the email’s link does nothing until its button is pressed', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/subscribe`);
    await page.getByLabel('E-mail address').fill(reader);
    await sleep(typingMs);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const asked = await box.take(reader, /^Confirm/);
    assert.ok((await scan(asked)) > 0);
    assert.match(await stateOf(reader), /unconfirmed/);

    await page.goto(linkIn(asked.text ?? ''));
    await page.getByRole('button', { name: 'Yes, subscribe me' }).click();
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    await scan(await box.take(reader, /^You are subscribed/));
    assert.doesNotMatch(await stateOf(reader), /unconfirmed|unsubscribed/);
    await page.context().close();
  });

  it('knows a machine by its haste, and writes nothing to whom it names', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/subscribe`);
    await page.getByLabel('E-mail address').fill('victim@example.com');
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    assert.match(await stateOf('victim@example.com'), /within two seconds/);
    await page.context().close();
  });

  it('has more subscribers from a file, once the admin has named the consent', async () => {
    await admin.goto(`${desk.web}/admin/subscribers/imports`, { waitUntil: 'networkidle' });
    const lines = [
      'Adresse,Name,Consent',
      'first@example.com,A,yes',
      'nobody,B,yes',
      `${reader},C,yes`,
      'FIRST@example.com,D,yes',
      'unclear@example.com,E,perhaps',
    ];
    await admin.locator('input[type=file]').setInputFiles({
      name: 'fair.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    });
    await admin.getByLabel('Email address').selectOption({ label: 'Adresse' });
    await admin.getByText('1 of 5 lines would be added.').waitFor();
    await admin.getByText('No valid address: 1').click();
    await admin.getByText('Line 3').waitFor();
    await admin.getByText('No consent: 1').waitFor();
    // What is missing is said before the API is asked, which wants a password first.
    await admin.getByRole('button', { name: 'Add 1' }).click();
    await admin.locator('[name=consent][aria-invalid=true]').waitFor();
    await admin
      .getByLabel('Where and how these people agreed')
      .fill('Signed up on paper at the fair in May.');
    await admin.getByLabel(/Last day/).fill('2026-05-02');
    await admin.getByRole('button', { name: 'Add 1' }).click();
    await admin.getByText('1 subscriber added.').waitFor();
    await admin.getByText('fair in May. (May 2, 2026)').waitFor();
    assert.match(await stateOf('first@example.com'), /imported/);
  });

  it('is written, looked at, tried on oneself and sent to all', async () => {
    await admin.goto(`${desk.web}/admin/campaigns`);
    await admin.getByRole('button', { name: 'New campaign' }).click();
    await admin.waitForURL(/\/admin\/campaigns\/[0-9a-f-]{36}$/);
    await admin.waitForLoadState('networkidle');
    // An empty campaign is refused before anything is asked.
    await admin.getByRole('button', { name: 'Send or schedule' }).click();
    await admin.getByText('A campaign needs a subject, a text and subscribers.').waitFor();
    assert.equal(await admin.getByRole('dialog').count(), 0);
    await admin.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
    await admin.getByLabel('Preview text').fill('Two figures that moved.');
    const body = admin.getByRole('textbox', { name: 'Text', exact: true });
    await body.click();
    await body.pressSequentially('The dollar moved.');
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    const frame = admin.frameLocator('iframe');
    await frame.getByRole('heading', { name: subject }).waitFor();
    await frame.getByText('The dollar moved.').waitFor();
    await admin.getByRole('dialog').getByText('Text', { exact: true }).click();
    await admin.locator('pre', { hasText: 'The dollar moved.' }).waitFor();
    await admin.keyboard.press('Escape');

    await admin.getByRole('button', { name: 'Send me a test' }).click();
    const test = await box.take(desk.admin.email, /^Test: Rates this autumn$/);
    assert.ok(!test.headers.some(({ key }) => key === 'list-unsubscribe'));

    await admin.getByRole('button', { name: 'Send or schedule' }).click();
    const dialog = admin.getByRole('dialog');
    // The demo desk’s seven, and these two.
    await dialog.getByRole('heading', { name: 'Send to 9 subscribers?' }).waitFor();
    await dialog.getByRole('button', { name: 'Send to 9 subscribers' }).click();
    letter = await box.take(reader, new RegExp(`^${subject}$`));
    await box.take('first@example.com', new RegExp(`^${subject}$`));
    await admin.getByText('9 of 9').waitFor({ timeout: 40_000 });
  });

  it('is not ended by whoever opens its links, and is by one press of the mailbox’s own button', async () => {
    const header = (name: string) => letter.headers.find(({ key }) => key === name)?.value ?? '';
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.equal(header('auto-submitted'), '');
    assert.ok((await scan(letter)) >= 2);
    assert.doesNotMatch(await stateOf(reader), /unsubscribed/);
    const answer = await fetch(header('list-unsubscribe').slice(1, -1), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(answer.status, 204);
    assert.match(await stateOf(reader), /unsubscribed/);
    await admin.goto(`${desk.web}/admin/campaigns`);
    await admin.getByRole('link', { name: subject }).click();
    const ended = admin.locator('dl > div', { hasText: 'Unsubscribed by this email' });
    assert.match(await ended.innerText(), /1/);
  });

  it('is ended for good: no import brings its subscriber back', async () => {
    await admin.goto(`${desk.web}/admin/subscribers/imports`, { waitUntil: 'networkidle' });
    await admin.locator('input[type=file]').setInputFiles({
      name: 'again.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`email\n${reader}\n`),
    });
    await admin.getByText('This file would not add any subscriber.').waitFor();
    await admin.goto(`${desk.web}/admin/audit?action=campaign.`);
    await admin.getByText('Admin sent a campaign').waitFor();
    await admin.getByRole('link', { name: subject }).first().waitFor();
  });
});
