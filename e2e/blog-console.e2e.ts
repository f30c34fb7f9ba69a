/** The console's list of posts and its search, and what the editor holds besides plain text. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { editorText, textSaved } from './editor.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';

/** Back, from a page that holds on to whoever leaves: until the browser is there again. */
const heldBack = `new Promise((done) => {
  let steps = 0;
  addEventListener('popstate', () => (steps += 1) === 2 && done());
  history.back();
})`;

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
    await page.getByRole('button', { name: 'Change the date' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the date' });
    await dialog.getByText('there is nothing to publish').waitFor();
    // In a zone that skips no time no note is written, and no year is too far for the field itself.
    await dialog.getByLabel('Day and time').fill('9999-01-01T10:00');
    await dialog.getByRole('button', { name: 'Change the date' }).click();
    await dialog.getByText('Choose a time within the next 5 years.').waitFor();
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('button', { name: 'Publish the changes' }).count(), 0);
    await editorText(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('More.');
    await page.getByRole('button', { name: 'Publish the changes' }).waitFor();
    await textSaved(page);
  });

  it('goes back with what was just typed, and forward again', async () => {
    await page.goto(`${desk.web}/admin/blog?tag=Rates`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'How to read a month of a rate' }).click();
    await editorText(page).click();
    await page.keyboard.press('Control+End');
    // Pressed again while the text is being saved, which takes as long as it takes: it goes back once.
    const saving = Promise.withResolvers<void>();
    const draft = /\/draft$/;
    await page.route(draft, (route) => saving.promise.then(() => route.continue()));
    await page.keyboard.type(' Typed last.');
    for (let times = 0; times < 2; times += 1) await page.evaluate(heldBack);
    saving.resolve();
    await page.waitForURL(/\?tag=Rates$/);
    await page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
    await page.goForward();
    await page.waitForURL(/\/admin\/blog\/[^/?]+$/);
    await editorText(page).getByText('Typed last.').waitFor();
    await page.unroute(draft);
  });

  it('holds pictures with words beneath them', async () => {
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
    await page.getByRole('button', { name: 'Back to the text' }).click();
    await editorText(page).locator('figure img').click();
    await page.getByRole('button', { name: 'Words beneath the picture' }).click();
    assert.equal(await editorText(page).locator('figure').count(), 0);
    await page.getByRole('button', { name: 'Words beneath the picture' }).click();
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
    await far.getByRole('button', { name: 'Begin writing' }).click();
    await far.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    await far.waitForLoadState('networkidle');
    await editorText(far).click();
    await far.keyboard.type('Words.');
    await far.getByRole('button', { name: 'Publish', exact: true }).click();
    await far.getByText('At another time').click();
    // Not so far ahead that it would be taken for a slip.
    const year = new Date().getUTCFullYear() + 1;
    await far.getByLabel(/Day and time/).fill(`${year}-12-24T09:00`);
    await far.getByRole('button', { name: 'Publish at this time' }).click();
    const shown = new RegExp(String.raw`Public from\s+Dec\s24,\s${year},\s09:00 Europe/Lisbon`);
    await far.getByText(shown).waitFor();
    await far.goto(`${desk.web}/admin/blog?state=scheduled`, { waitUntil: 'networkidle' });
    await far.getByText(`from Dec 24, ${year}, 09:00 Europe/Lisbon`).waitFor();
    await far.context().close();
  });

  it('takes all tags but those that can be none, and says beside "Save" what is not saved', async () => {
    await page.goto(`${desk.web}/admin/blog?state=scheduled`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'At its time' }).click();
    await page.getByLabel('Tags').fill('विनिमय, 24/7, Rates');
    await page.getByText('“24/7” is not kept').waitFor();
    await textSaved(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('alert').getByText('To be mended first: Tags').waitFor();
    await page.locator('[name=tags]:focus').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is asked that cannot be done');
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await page.getByLabel('Tags').inputValue(), 'विनिमय, Rates');

    await page.setViewportSize({ ...screen, height: 320 });
    await page.route('**/draft', (route) => route.abort());
    await page.getByLabel('Author').fill('A writer on a train');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const beside = page.locator('p:not([data-save])', { hasText: 'perhaps not saved.' });
    await beside.waitFor();
    await save.click();
    const inSight = `[...document.querySelectorAll('[role=alert]')].some((alert) => {
      const { top, bottom } = alert.getBoundingClientRect();
      return /perhaps not saved/.test(alert.textContent) && top >= 0 && bottom <= innerHeight;
    })`;
    // The page's policy lets nothing but the first look of `waitForFunction` run.
    for (let look = 0; look < 50 && !(await page.evaluate(inSight)); look += 1) await sleep(100);
    assert.ok(await page.evaluate(inSight));
    await beside.waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('alert').count(), 1, 'it is said aloud once');
    await page.unroute('**/draft');
    await save.click();
    await textSaved(page);
    await page.setViewportSize(screen);
  });

  it('puts together what one person changed in two tabs, and says what deleting would take away', async () => {
    await page.goto(`${desk.web}/admin/blog?state=scheduled`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'At its time' }).click();
    await editorText(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url(), { waitUntil: 'networkidle' });
    await other.locator('[name=title]').fill('At another time');
    await other.locator('[name=excerpt]').fill('There');
    await textSaved(other);
    await page.locator('[name=author]').fill('Two tabs');
    await page.locator('[name=excerpt]').fill('Here');
    const dialog = page.getByRole('dialog', { name: 'This post was changed in two places' });
    await dialog.getByText(/You saved another text/).waitFor();
    assert.equal(await dialog.locator('input:checked:focus').count(), 1, 'not at the cross');
    const titles = dialog.getByRole('group', { name: 'Title', exact: true });
    assert.equal(await titles.getByRole('radio', { name: 'Saved elsewhere' }).isChecked(), true);
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.reload({ waitUntil: 'networkidle' });
    const values = ['title', 'author', 'excerpt'].map((name) => page.inputValue(`[name=${name}]`));
    assert.deepEqual(await Promise.all(values), ['At another time', 'Two tabs', 'Here']);

    // What the other tab shows is not what would become public.
    await other.getByRole('button', { name: 'Publish', exact: true }).click();
    const publishing = other.getByRole('dialog', { name: 'Publish', exact: true });
    await publishing.getByText('Readers see it at once.').click();
    await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
    await publishing.waitFor({ state: 'hidden' });
    await other.getByRole('dialog', { name: 'This post was changed in two places' }).waitFor();
    await other.close();
    // Nobody deletes it before it is said what links to it.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/links', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete the post?' });
    await asked.getByText('It is scheduled, and would not become public.').waitFor();
    const sure = asked.getByRole('button', { name: 'Delete' });
    assert.equal(await sure.getAttribute('aria-disabled'), 'true');
    await sure.click({ force: true });
    letGo();
    await asked.locator('button:not([aria-disabled])', { hasText: 'Delete' }).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.unroute('**/links');
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await page.inputValue('[name=author]'), 'Two tabs');
  });

  it('says what became of it in another tab, before it is chosen anew', async () => {
    await page.goto(`${desk.web}/admin/blog/new`, { waitUntil: 'networkidle' });
    await page.getByLabel('Title').fill('In two tabs');
    await page.getByRole('button', { name: 'Begin writing' }).click();
    await editorText(page).click();
    await page.keyboard.type('Words.');
    await textSaved(page);
    const other = await page.context().newPage();
    await other.goto(page.url(), { waitUntil: 'networkidle' });

    // The text is changed once more while the two are compared.
    await page.locator('[name=excerpt]').fill('Here');
    await textSaved(page);
    await other.locator('[name=excerpt]').fill('There');
    const comparing = other.getByRole('dialog', { name: 'This post was changed in two places' });
    await comparing.waitFor();
    await page.locator('[name=excerpt]').fill('Here again');
    await textSaved(page);
    await comparing.getByRole('button', { name: 'Go on with these' }).click();
    const told = await comparing.getByRole('alert').boundingBox();
    const choices = await comparing.getByRole('group').first().boundingBox();
    assert.ok(told && choices && told.y < choices.y);
    await comparing.getByRole('button', { name: 'Go on with these' }).click();
    await comparing.waitFor({ state: 'hidden' });

    await page.reload({ waitUntil: 'networkidle' });
    await publishNow(page);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await publishNow(other);
    const publishing = other.getByRole('dialog', { name: 'Publish', exact: true });
    await publishing.getByText(/You have published it meanwhile/).waitFor();
    await publishing.getByText(/^Public since/).waitFor();
    assert.equal(await publishing.getByRole('button', { name: 'Publish', exact: true }).count(), 0);
    await publishing.getByRole('button', { name: 'Choose anew' }).click();
    await other.getByText('there is nothing to publish').waitFor();
    assert.equal(await other.getByRole('alert').count(), 0);
    await other.close();
  });

  async function publishNow(of: Page): Promise<void> {
    await of.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = of.getByRole('dialog', { name: 'Publish', exact: true });
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  }
});
