/** Messages to the desk and its newsletter: forms that a visitor fills in, answered by real SMTP. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Email } from 'postal-mime';
import { linkIn } from '../../support/mailbox.ts';
import { newAdmin, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;
/** Only a machine fills in a message within three seconds, or an address within two. */
const typingMs = 3_300;
let admin: Page;

before(async () => {
  admin = await newAdmin(shared);
});

describe('a message to the desk', () => {
  const ada = { ...newPerson('Ada Byron'), message: 'Where is my payout?' };

  async function fill(page: Page, { name, email, message }: typeof ada): Promise<void> {
    await sleep(typingMs);
    await page.getByLabel('Your name').fill(name);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Your message').fill(message);
  }

  async function send(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Send the message' }).click();
    await page.getByRole('heading', { name: 'We’ve got your message' }).waitFor();
    return (await page.getByText(/^MSG-\d{6}$/).textContent()) ?? '';
  }

  it('A visitor writes without script, from the link of an exchange', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/contact?exchange=CX-AAAA-BBBB`);
    const number = page.getByLabel(/Number of the exchange/);
    assert.equal(await number.inputValue(), 'CX-AAAA-BBBB');
    assert.equal(await page.getByLabel('What it is about').inputValue(), 'exchange');
    await fill(page, { ...ada, email: 'ada@nowhere' });
    await page.getByRole('button', { name: 'Send the message' }).click();
    // The refusal is beside its field, and the message is still there.
    await page.locator('[name=email][aria-invalid=true]').waitFor();
    assert.equal(await page.getByLabel('Your message').inputValue(), ada.message);
    assert.equal(await number.inputValue(), 'CX-AAAA-BBBB');
    await page.getByLabel('Email address').fill(ada.email);
    const reference = await send(page);
    assert.doesNotMatch(await mailbox.read(ada.email, new RegExp(reference)), /payout|Ada/);
  });

  it('A message with script arrives, and a machine’s is spam without an email', async () => {
    const grace = { ...newPerson('Grace Hopper'), message: 'What is your margin?' };
    const page = await newVisitor(browser);
    await page.goto(desk.web, { waitUntil: 'networkidle' });
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
    await page.waitForURL(/\/contact$/);
    await page.getByLabel('What it is about').selectOption('rates');
    await fill(page, grace);
    await mailbox.read(grace.email, new RegExp(await send(page)));

    await page.getByRole('link', { name: 'Write another message' }).click();
    await page.getByLabel('What it is about').selectOption('other');
    assert.equal(await page.getByLabel('Your message').inputValue(), '');
    await fill(page, { ...grace, name: 'Robot', message: 'Buy now' });
    await page.locator('[name=website]').evaluate((field) => {
      (field as unknown as { value: string }).value = 'https://buy.example';
    });
    await send(page);
    await admin.goto(`${desk.web}/admin/messages?state=spam`);
    await admin.getByRole('link', { name: /Robot/ }).click();
    await admin.getByText('The form was sent within three seconds').waitFor();
  });

  it('An admin finds, notes, answers and deletes a message, and a colleague’s answer waits', async () => {
    await admin.goto(`${desk.web}/admin/messages`, { waitUntil: 'networkidle' });
    await admin.getByRole('searchbox').fill('payout');
    await admin.waitForURL(/q=payout/);
    await admin.getByRole('link', { name: /Ada Byron/ }).click();
    await admin.getByRole('heading', { name: 'Message from Ada Byron' }).waitFor();
    await admin.getByLabel('Note', { exact: true }).fill('Known by phone.');
    await admin.getByRole('button', { name: 'Add note' }).click();
    await admin.getByText('Note by Admin').waitFor();

    const colleague = await admin.context().newPage();
    await colleague.goto(admin.url(), { waitUntil: 'networkidle' });
    await admin.getByLabel('Your reply').fill('Dear Ada,\n\nit left this morning.');
    await admin.getByRole('button', { name: 'Send reply' }).click();
    await admin.getByText('Admin replied by email').waitFor();
    await colleague.getByLabel('Your reply').fill('It left.');
    await colleague.getByRole('button', { name: 'Send reply' }).click();
    await colleague.getByText('Nothing was sent or saved.').waitFor();
    await colleague.getByRole('button', { name: 'Load changes' }).click();
    await colleague.getByText('Admin replied by email').waitFor();
    assert.equal(await colleague.getByLabel('Your reply').inputValue(), 'It left.');
    await colleague.close();

    const email = await mailbox.take(ada.email, /^Your message to us/);
    assert.match(email.text ?? '', /it left this morning/);
    assert.doesNotMatch(email.text ?? '', /phone/);
    // A person wrote it, so a mailbox may answer it.
    assert.ok(!email.headers.some(({ key }) => key === 'auto-submitted'));
    assert.deepEqual(
      email.replyTo?.map(({ address }) => address),
      ['desk@cambist.example'],
    );
    await admin.getByRole('button', { name: 'Close', exact: true }).click();
    await admin.getByRole('button', { name: 'Reopen' }).waitFor();
    await admin.getByRole('button', { name: 'Delete' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await admin.waitForURL(/\/admin\/messages$/);
    assert.equal(await admin.getByRole('link', { name: /Ada Byron/ }).count(), 0);
  });

  it('A visitor reports a problem without a name, and an admin sorts the report', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/rates`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Report a problem' }).click();
    assert.equal(await page.getByLabel(/The page it is about/).inputValue(), '/rates');
    await sleep(typingMs);
    await page.getByLabel('In a few words').fill('The list has no print style');
    await page.getByLabel(/What happened/).fill('It prints three pages of nothing.');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();

    const list = `${desk.web}/admin/feature-reports`;
    await admin.goto(`${list}?q=print%20style`, { waitUntil: 'networkidle' });
    const row = admin.getByRole('listitem').filter({ hasText: 'The list has no print style' });
    await row.getByText('State and note').click();
    await row.getByLabel('State').selectOption('planned');
    const note = row.getByLabel(/Note for colleagues/);
    await note.fill('With the next release.');
    // A link beside the form asks before the note is lost.
    admin.once('dialog', (dialog) => void dialog.dismiss());
    const tabs = admin.getByRole('navigation', { name: 'Filter by state' });
    await tabs.getByRole('link', { name: /^Done/ }).click();
    assert.equal(await note.inputValue(), 'With the next release.');
    await row.getByRole('button', { name: 'Save' }).click();
    await admin.goto(`${list}?state=planned`, { waitUntil: 'networkidle' });
    await row.locator('p', { hasText: 'With the next release.' }).waitFor();
  });
});

describe('the newsletter', () => {
  const reader = newPerson('Rosa Luz').email;
  const imported = newPerson('First').email;
  const subject = 'Rates this autumn';
  let campaign: Email;

  /** Opens every link by GET and HEAD, as programs do that scan emails. */
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

  async function ask(email: string, waitMs: number): Promise<Page> {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/subscribe`);
    await page.getByLabel('Email address').fill(email);
    await sleep(waitMs);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    return page;
  }

  it('A visitor subscribes by the button behind the email’s link; opening the link does nothing', async () => {
    const page = await ask(reader, typingMs);
    const asked = await mailbox.take(reader, /^Confirm/);
    assert.ok((await scan(asked)) > 0);
    assert.match(await stateOf(reader), /unconfirmed/);
    await page.goto(linkIn(asked.text ?? ''));
    await page.getByRole('button', { name: 'Yes, subscribe me' }).click();
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    await scan(await mailbox.take(reader, /^You are subscribed/));
    assert.doesNotMatch(await stateOf(reader), /unconfirmed|unsubscribed/);

    const victim = newPerson('Victim').email;
    await ask(victim, 0);
    assert.match(await stateOf(victim), /within two seconds/);
  });

  it('An admin imports subscribers from a file whose consent is named', async () => {
    await admin.goto(`${desk.web}/admin/subscribers/imports`, { waitUntil: 'networkidle' });
    const lines = [
      'Adresse,Name,Consent',
      `${imported},A,yes`,
      'nobody,B,yes',
      `${reader},C,yes`,
      `${imported.toUpperCase()},D,yes`,
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
    await admin.getByRole('button', { name: 'Add 1' }).click();
    await admin.locator('[name=consent][aria-invalid=true]').waitFor();
    await admin
      .getByLabel('Where and how these people agreed')
      .fill('Signed up on paper at the fair in May.');
    await admin.getByLabel(/Last day/).fill('2026-05-02');
    await admin.getByRole('button', { name: 'Add 1' }).click();
    await admin.getByText('1 subscriber added.').waitFor();
    await admin.getByText('fair in May. (May 2, 2026)').waitFor();
    assert.match(await stateOf(imported), /imported/);
  });

  it('An admin writes a campaign, previews it, sends a test and sends it to all', async () => {
    await admin.goto(`${desk.web}/admin/campaigns`);
    await admin.getByRole('button', { name: 'New campaign' }).click();
    await admin.waitForURL(/\/admin\/campaigns\/[0-9a-f-]{36}$/);
    await admin.waitForLoadState('networkidle');
    await admin.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
    await admin.getByLabel('Preview text').fill('Two figures that moved.');
    const body = admin.getByRole('textbox', { name: 'Text', exact: true });
    await body.click();
    await body.pressSequentially('The dollar moved.');
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    const frame = admin.frameLocator('iframe');
    await frame.getByRole('heading', { name: subject }).waitFor();
    await frame.getByText('The dollar moved.').waitFor();
    await admin.keyboard.press('Escape');
    await admin.getByRole('button', { name: 'Send me a test' }).click();
    const test = await mailbox.take(desk.admin.email, /^Test: Rates this autumn$/);
    assert.ok(!test.headers.some(({ key }) => key === 'list-unsubscribe'));

    await admin.getByRole('button', { name: 'Send or schedule' }).click();
    const dialog = admin.getByRole('dialog');
    // The demo desk’s seven, and these two.
    await dialog.getByRole('heading', { name: 'Send to 9 subscribers?' }).waitFor();
    await dialog.getByRole('button', { name: 'Send to 9 subscribers' }).click();
    campaign = await mailbox.take(reader, new RegExp(`^${subject}$`));
    await mailbox.take(imported, new RegExp(`^${subject}$`));
    await admin.getByText('9 of 9').waitFor({ timeout: 60_000 });
  });

  it('A subscriber leaves by the mailbox’s button, not by opening links, and no import brings them back', async () => {
    const header = (name: string) => campaign.headers.find(({ key }) => key === name)?.value ?? '';
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.equal(header('auto-submitted'), '');
    assert.ok((await scan(campaign)) >= 2);
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
    await admin.goto(`${desk.web}/admin/subscribers/imports`, { waitUntil: 'networkidle' });
    await admin.locator('input[type=file]').setInputFiles({
      name: 'again.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`email\n${reader}\n`),
    });
    await admin.getByText('This file would not add any subscriber.').waitFor();
  });
});
