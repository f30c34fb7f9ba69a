/** The console's list of posts and its search, and what the editor holds besides plain text. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { editorText, textSaved } from './editor.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';

describe('posts in the console', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newVisitor(browser, { viewport: screen });
    await signInAsAdmin(page, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  it('has nothing to publish where all is public, but another date', async () => {
    await page.goto(`${desk.web}/admin/blog?tag=Rates`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'How to read a month of a rate' }).click();
    await page.getByRole('button', { name: 'Change date' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change date' });
    await dialog.getByText('There are no changes to publish.').waitFor();
    // In a zone that skips no time no note is written, and no year is too far for the field itself.
    await dialog.getByLabel('Day and time').fill('9999-01-01T10:00');
    await dialog.getByRole('button', { name: 'Change date' }).click();
    await dialog.getByText('Choose a time within the next 5 years.').waitFor();
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('button', { name: 'Publish changes' }).count(), 0);
    await editorText(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('More.');
    await page.getByRole('button', { name: 'Publish changes' }).waitFor();
    await textSaved(page);
  });

  it('holds pictures with words beneath them, and terms with their meanings', async () => {
    await page.goto(`${desk.web}/admin/blog?tag=Rates`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'How to read a month of a rate' }).click();
    const words = editorText(page).locator('figure figcaption');
    await words.waitFor();
    assert.match(await words.innerText(), /^The desk in the evening/);
    await words.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Really.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('After the picture.');
    await textSaved(page);
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    const html = (await page.locator('textarea#body').inputValue()).replaceAll('\n', '');
    assert.match(
      html,
      /<figure><img [^>]*><figcaption>The desk in the evening\.[^<]* Really\.<\/figcaption><\/figure><p>After the picture\.<\/p>/,
    );
    // The words beneath a picture come and go with a button.
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    await editorText(page).locator('figure img').click();
    await page.getByRole('button', { name: 'Caption' }).click();
    assert.equal(await editorText(page).locator('figure').count(), 0);
    await page.getByRole('button', { name: 'Caption' }).click();
    await page.keyboard.type('New words.');
    assert.equal(await editorText(page).locator('figure figcaption').innerText(), 'New words.');
    await textSaved(page);
  });

  it('keeps what is typed into the search, however late an answer comes', async () => {
    await page.goto(`${desk.web}/admin/blog`, { waitUntil: 'networkidle' });
    let held = 0;
    await page.route(/\/admin\/blog\/__data\.json/, async (route) => {
      held += 1;
      await sleep(1_000);
      await route.continue();
    });
    const search = page.getByRole('searchbox');
    await search.pressSequentially('rate');
    await sleep(500);
    // Emptied while the answer is under way: what it says is not wanted any more.
    await search.fill('');
    await sleep(2_500);
    assert.equal(await search.inputValue(), '');
    assert.ok(!page.url().includes('q='), page.url());
    assert.ok(held > 0);
    // Somebody who leaves while a search waits is not called back.
    await page.evaluate(`const input = document.querySelector('[type=search]'); input.value = 'a week'; input.dispatchEvent(new Event('input', { bubbles: true }));
      setTimeout(() => document.querySelector('a[href="/admin/media"]').click(), 245)`);
    await page.waitForURL(/\/admin\/media$/);
    await page.goto(`${desk.web}/admin/blog`, { waitUntil: 'networkidle' });
    const asked = page.waitForRequest(/\/admin\/blog\/__data\.json/);
    await search.fill('a mon');
    await asked;
    await search.pressSequentially('th');
    await page.getByRole('link', { name: 'Media', exact: true }).click();
    await page.waitForURL(/\/admin\/media$/);
    await sleep(1_000);
    assert.match(page.url(), /\/admin\/media$/);
  });

  it('shows the time of a scheduled post by the clock that it was chosen by, and names it', async () => {
    const zone = { viewport: screen, timezoneId: 'Asia/Tokyo' };
    const far = await newVisitor(browser, zone);
    await signInAsAdmin(far, desk);
    await far.goto(`${desk.web}/admin/blog/new`, { waitUntil: 'networkidle' });
    await far.locator('[name=title]').fill('At its time');
    await far.getByRole('button', { name: 'Start writing' }).click();
    await far.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    await far.waitForLoadState('networkidle');
    await editorText(far).click();
    await far.keyboard.type('Words.');
    await far.getByRole('button', { name: 'Publish', exact: true }).click();
    await far.getByText('At another time').click();
    // Not so far ahead that it would be taken for a slip.
    const year = new Date().getUTCFullYear() + 1;
    await far.getByLabel(/Day and time/).fill(`${year}-12-24T09:00`);
    await far.getByRole('button', { name: 'Schedule' }).click();
    const shown = new RegExp(String.raw`Public from\s+Dec\s24,\s${year},\s09:00 Europe/Lisbon`);
    await far.getByText(shown).waitFor();
    await far.goto(`${desk.web}/admin/blog?state=scheduled`, { waitUntil: 'networkidle' });
    await far.getByText(`from Dec 24, ${year}, 09:00 Europe/Lisbon`).waitFor();
    await far.context().close();
  });

  it('takes all tags but invalid ones, which it names', async () => {
    await page.goto(`${desk.web}/admin/blog?state=scheduled`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'At its time' }).click();
    await page.getByLabel('Tags').fill('विनिमय, 24/7, Rates');
    await page.getByText('Not saved: 24/7.').waitFor();
    await textSaved(page);
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await page.getByLabel('Tags').inputValue(), 'विनिमय, Rates');
  });

  it('names what links to a post before it is deleted', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/links', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete the post?' });
    await asked.getByText('It is scheduled and will not become public.').waitFor();
    const sure = asked.getByRole('button', { name: 'Delete' });
    assert.equal(await sure.getAttribute('aria-disabled'), 'true');
    letGo();
    await asked.locator('button:not([aria-disabled])', { hasText: 'Delete' }).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.unroute('**/links');
  });
});
