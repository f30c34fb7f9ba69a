/** A visitor writes to the desk, without script and with; an admin answers, and the answer arrives by real SMTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { newAdmin, newPerson, sharedDesk } from '../shared-desk.ts';
import { newVisitor } from '../visitor.ts';

const shared = await sharedDesk();
const { desk, browser, box } = shared;
const plain = { ...newPerson('Ada Byron'), message: 'Where is my payout?' };
/** Longer than the three seconds within which only a machine has typed a message. */
const typingMs = 3_300;
const quick = { ...newPerson('Grace Hopper'), message: 'What is your margin?' };

describe('messages to the desk', () => {
  let admin: Page;

  before(async () => {
    admin = await newAdmin(shared);
  });
  after(() => admin.context().close());

  async function fill(page: Page, { name, email, message }: typeof plain): Promise<void> {
    await sleep(typingMs);
    await page.getByLabel('Your name').fill(name);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Your message').fill(message);
  }

  const sent = async (page: Page) => {
    await page.getByRole('heading', { name: 'We’ve got your message' }).waitFor();
    return (await page.getByText(/^MSG-\d{6}$/).textContent()) ?? '';
  };

  it('are written without script, with the number of an exchange from the link', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/contact?exchange=CX-AAAA-BBBB`);
    assert.equal(await page.getByLabel(/Number of the exchange/).inputValue(), 'CX-AAAA-BBBB');
    assert.equal(await page.getByLabel('What it is about').inputValue(), 'exchange');
    await fill(page, { ...plain, email: 'ada@nowhere' });
    await page.getByRole('button', { name: 'Send the message' }).click();
    // Refused beside its field, and nothing that was typed is lost.
    await page.locator('[name=email][aria-invalid=true]').waitFor();
    assert.equal(await page.getByLabel('Your message').inputValue(), plain.message);
    assert.equal(await page.getByLabel(/Number of the exchange/).inputValue(), 'CX-AAAA-BBBB');
    await page.getByLabel('E-mail address').fill(plain.email);
    await page.getByRole('button', { name: 'Send the message' }).click();
    const reference = await sent(page);
    const letter = await box.read(plain.email, new RegExp(reference));
    assert.doesNotMatch(letter, /payout|Ada/);
    await page.context().close();
  });

  it('are written with script, and a machine’s go to the spam without a letter', async () => {
    const page = await newVisitor(browser);
    await page.goto(desk.web, { waitUntil: 'networkidle' });
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
    await page.waitForURL(/\/contact$/);
    await page.getByLabel('What it is about').selectOption('rates');
    await fill(page, quick);
    await page.getByRole('button', { name: 'Send the message' }).click();
    await box.read(quick.email, new RegExp(await sent(page)));

    await page.getByRole('link', { name: 'Write another message' }).click();
    await page.getByLabel('What it is about').selectOption('other');
    assert.equal(await page.getByLabel('Your message').inputValue(), '');
    await fill(page, { ...quick, name: 'Robot', message: 'Buy now' });
    await page.locator('[name=website]').evaluate((field) => {
      (field as unknown as { value: string }).value = 'https://buy.example';
    });
    await page.getByRole('button', { name: 'Send the message' }).click();
    await sent(page);
    await admin.goto(`${desk.web}/admin/messages?state=spam`);
    await admin.getByRole('link', { name: /Robot/ }).click();
    await admin.getByText('The form was sent within three seconds').waitFor();
    await page.context().close();
  });

  it('keep an answer that is being written from a click beside it', async () => {
    await admin.goto(`${desk.web}/admin/messages`, { waitUntil: 'networkidle' });
    await admin.getByRole('link', { name: /Ada Byron/ }).click();
    const answer = admin.getByLabel('Your reply');
    await answer.fill('Dear Ada, it left');
    const asked = admin.waitForEvent('dialog');
    const clicked = admin.getByRole('link', { name: 'Media', exact: true }).click();
    assert.match((await asked).message(), /^Leave without saving\?/);
    await (await asked).dismiss();
    await clicked;
    assert.equal(await answer.inputValue(), 'Dear Ada, it left');
    await answer.fill('');
    await admin.getByRole('link', { name: 'Media', exact: true }).click();
    await admin.waitForURL(/\/admin\/media$/);
  });

  it('are found, noted and answered; the answer arrives and can be answered', async () => {
    await admin.goto(`${desk.web}/admin/messages`, { waitUntil: 'networkidle' });
    const counted = admin.getByRole('link', { name: /^Messages \d+$/ });
    const before = Number(/\d+/.exec((await counted.textContent()) ?? '')?.[0]);
    await admin.getByRole('searchbox').fill('payout');
    await admin.waitForURL(/q=payout/);
    await admin.getByRole('link', { name: /Ada Byron/ }).click();
    await admin.getByRole('heading', { name: 'Message from Ada Byron' }).waitFor();
    await admin.getByLabel('Note', { exact: true }).fill('Known by phone.');
    await admin.getByRole('button', { name: 'Add note' }).click();
    await admin.getByText('Note by Admin').waitFor();

    // A colleague has the same message open, and is told of what happened since.
    const colleague = await admin.context().newPage();
    await colleague.goto(admin.url(), { waitUntil: 'networkidle' });
    await admin.getByLabel('Your reply').fill('Dear Ada,\n\nit left this morning.');
    // The answer of the service is lost: pressed again, the letter is known to have gone.
    const entries = /\/entries$/;
    await admin.route(entries, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await admin.getByRole('button', { name: 'Send reply' }).click();
    await admin.getByText('No answer came').waitFor();
    await admin.unroute(entries);
    await admin.getByRole('button', { name: 'Send reply' }).click();
    await admin.getByText('Admin replied by email').waitFor();
    assert.equal(await admin.getByText('Admin replied by email').count(), 1);
    assert.equal(await admin.getByLabel('Your reply').inputValue(), '');
    await colleague.getByLabel('Your reply').fill('It left.');
    await colleague.getByRole('button', { name: 'Send reply' }).click();
    await colleague.getByText('Nothing was sent or saved.').waitFor();
    await colleague.getByRole('button', { name: 'Load changes' }).click();
    await colleague.getByText('Admin replied by email').waitFor();
    assert.equal(await colleague.getByLabel('Your reply').inputValue(), 'It left.');
    await colleague.close();

    const letter = await box.take(plain.email, /^Your message to us/);
    assert.match(letter.text ?? '', /it left this morning/);
    assert.doesNotMatch(letter.text ?? '', /phone/);
    // A person wrote it, so a mailbox may answer it.
    assert.ok(!letter.headers.some(({ key }) => key === 'auto-submitted'));
    assert.deepEqual(
      letter.replyTo?.map(({ address }) => address),
      ['desk@cambist.example'],
    );
    assert.equal(Number(/\d+/.exec((await counted.textContent()) ?? '')?.[0]), before - 1);

    await admin.getByRole('button', { name: 'Close', exact: true }).click();
    await admin.getByRole('button', { name: 'Reopen' }).waitFor();
    await admin.getByRole('button', { name: 'Delete' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await admin.waitForURL(/\/admin\/messages$/);
    assert.equal(await admin.getByRole('link', { name: /Ada Byron/ }).count(), 0);
  });

  it('are told of in the audit log, in words', async () => {
    await admin.goto(`${desk.web}/admin/audit?action=contact.`);
    await admin
      .getByText(/answered a message/)
      .first()
      .waitFor();
    await admin.getByText(/deleted the message/).waitFor();
  });

  it('have a page that says to machines whose it is', async () => {
    const page = await newVisitor(browser);
    await page.goto(`${desk.web}/contact`);
    const written = await page.locator('script[type="application/ld+json"]').first().textContent();
    const structured = JSON.parse(written ?? '') as Record<string, unknown>;
    assert.equal(structured['@type'], 'ContactPage');
    assert.equal(structured['url'], `${desk.web}/contact`);
    await page.context().close();
  });

  it('and reports are taken without a name, and sorted', async () => {
    const page = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${desk.web}/rates`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Report a problem' }).click();
    assert.equal(await page.getByLabel(/The page it is about/).inputValue(), '/rates');
    await sleep(typingMs);
    await page.getByLabel('In a few words').fill('The list has no print style');
    await page.getByLabel(/What happened/).fill('It prints three pages of nothing.');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await page.context().close();

    await admin.goto(`${desk.web}/admin/feature-reports?q=print%20style`, {
      waitUntil: 'networkidle',
    });
    const row = admin.getByRole('listitem').filter({ hasText: 'The list has no print style' });
    // The counts leave the tabs with the search, and none of them moves from under the pointer.
    const tabs = admin.getByRole('navigation', { name: 'Filter by state' });
    const tab = (name: RegExp) => tabs.getByRole('link', { name });
    const found = await tab(/^Planned/).boundingBox();
    await admin.goto(`${desk.web}/admin/feature-reports`, { waitUntil: 'networkidle' });
    await tab(/^New \d+$/).waitFor();
    const place = await tab(/^Planned/).boundingBox();
    assert.deepEqual(found, place);
    // A tab that is clicked while the search is on its way does not lose it.
    let isHeld = true;
    await admin.route(/feature-reports\/__data\.json\?q=/, async (route) => {
      while (isHeld) await sleep(20);
      await route.continue().catch(() => undefined);
    });
    const began = admin.waitForRequest(/__data\.json\?q=print/);
    await admin.getByRole('searchbox').fill('print style');
    await began;
    await tab(/^New/).click();
    await admin.waitForURL(/state=new/);
    isHeld = false;
    await admin.waitForURL(/state=new.*q=print/);
    await admin.unroute(/feature-reports/);

    await row.getByText('State and note').click();
    await row.getByLabel('State').selectOption('planned');
    await row.getByLabel(/Note for colleagues/).fill('With the next release.');
    admin.once('dialog', (dialog) => void dialog.dismiss());
    await tab(/^Done/).click();
    assert.equal(
      await row.getByLabel(/Note for colleagues/).inputValue(),
      'With the next release.',
    );
    await row.getByRole('button', { name: 'Save' }).click();
    // No longer among the new ones.
    await row.waitFor({ state: 'detached' });
    await admin.goto(`${desk.web}/admin/feature-reports?state=planned`, {
      waitUntil: 'networkidle',
    });
    await row.locator('p', { hasText: 'With the next release.' }).waitFor();
    await row.getByText('State and note').click();
    await row.getByRole('button', { name: /^Delete: / }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });
});
