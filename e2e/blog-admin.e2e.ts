/** Somebody writes the blog in the console: text, table, picture, publishing, revisions, two at once. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { editorText, textSaved } from './editor.ts';
import { screen, signInAsAdmin } from './visitor.ts';
import { refusedByPolicy } from './watched.ts';

const axeFile = fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url));
const patienceMs = 15_000;

describe('the blog in the console', () => {
  let desk: Desk;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let address = '';
  /** What the pages' policy has refused. */
  let refused: readonly string[] = [];

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    context = await browser.newContext({ viewport: screen });
    refused = refusedByPolicy(context);
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await signInAsAdmin(page, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const published = async (slug: string) => {
    const answer = await fetch(`${desk.api}/api/public/blogs/${slug}`);
    const reply = (await answer.json()) as { data?: { body: string } };
    return { status: answer.status, body: reply.data?.body ?? '' };
  };

  it('begins with a title, and takes a text by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Blog', exact: true }).click();
    await page.getByRole('link', { name: 'New post' }).first().click();
    await page.getByLabel('Title').fill('How a rate is held');
    await page.getByRole('button', { name: 'Start writing' }).click();
    await page.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    address = page.url();
    assert.equal(await page.getByLabel('Address').first().inputValue(), 'how-a-rate-is-held');

    await editorText(page).focus();
    await page.keyboard.press('Alt+F10');
    const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
    assert.equal(await focused(), 'Heading');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Subheading');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Fifteen minutes');
    await page.keyboard.press('Enter');
    await page.keyboard.type('We hold the rate ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('as shown');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' in the offer.');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Link address').fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await page.getByText('This is not a valid link address.').waitFor();
    await page.getByLabel('Link address').fill('/rates');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await textSaved(page);
  });

  it('takes a table with rows and columns, and a picture that says what it shows', async () => {
    await editorText(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.keyboard.type('Pair');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Held for');
    await page.getByRole('button', { name: 'Column after' }).click();
    await page.getByRole('button', { name: 'Remove row' }).waitFor();
    await page.getByRole('button', { name: 'Row below' }).click();
    assert.equal(await editorText(page).locator('tr').count(), 4);
    assert.equal(await editorText(page).locator('tr').first().locator('th').count(), 4);

    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const picture = await sharp({
      create: { width: 700, height: 400, channels: 3, background: '#0b6b4c' },
    })
      .png()
      .toBuffer();
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'rates.png', mimeType: 'image/png', buffer: picture });
    await dialog.getByRole('textbox').last().fill('A green board of rates');
    await dialog.getByRole('button', { name: 'Use this picture' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.type('The board at noon.');
    const image = editorText(page).getByRole('img', { name: 'A green board of rates' });
    assert.match((await image.getAttribute('src')) ?? '', /^\/media\/[a-z0-9]{16}-700\.webp$/);
    await textSaved(page);

    await page.reload();
    await editorText(page).getByRole('img', { name: 'A green board of rates' }).waitFor();
    assert.equal(await editorText(page).locator('h2').innerText(), 'Fifteen minutes');
    assert.equal((await published('how-a-rate-is-held')).status, 404);
  });

  it('becomes public as it was written', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The post is public').first().waitFor();
    const { status, body } = await published('how-a-rate-is-held');
    assert.equal(status, 200);
    assert.match(body, /<h2>Fifteen minutes<\/h2>/);
    assert.match(body, /<strong>as shown<\/strong>/);
    assert.match(body, /<a href="\/rates">\/rates<\/a>/);
    assert.match(body, /<th>Pair<\/th>/);
    assert.match(body, /<img src="\/media\/\w+-700\.webp" alt="A green[^>]*><p>The board at/);
    assert.doesNotMatch(body, /style=/);
  });

  it('can be changed without the public seeing it, which says what changed', async () => {
    await editorText(page).locator('h2').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' at least');
    await page.getByLabel('Tags').fill('Rates, Guarantees');
    await textSaved(page);
    await page.getByText('Unpublished changes').waitFor();
    assert.doesNotMatch((await published('how-a-rate-is-held')).body, /at least/);
    await page.getByRole('button', { name: 'Show changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Show changes' });
    assert.match(await dialog.locator('ins').first().innerText(), /at least/);
    assert.equal(await dialog.locator('dt').count(), 2);
    await page.keyboard.press('Escape');
  });

  it('moves, with its old address told', async () => {
    await page.getByLabel('Address').first().fill('held-rates');
    await page.getByText('the old address /blog/how-a-rate-is-held will redirect here').waitFor();
    await textSaved(page);
    await page.getByRole('button', { name: 'Publish changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish changes' }).click();
    await page.getByText('Former addresses').waitFor();
    assert.match((await published('held-rates')).body, /at least/);
  });

  it('can be put back to what it was', async () => {
    await page.getByRole('link', { name: 'Revisions' }).click();
    await page
      .getByRole('link', { name: /Published/ })
      .last()
      .click();
    await page.getByRole('heading', { name: /and the present$/ }).waitFor();
    assert.match(await page.locator('ins').first().innerText(), /at least/);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(address);
    await editorText(page).locator('h2').waitFor();
    assert.equal(await editorText(page).locator('h2').innerText(), 'Fifteen minutes');
    assert.equal(await page.getByLabel('Address').first().inputValue(), 'how-a-rate-is-held');
  });

  it('asks the second of two authors to reload or to overwrite', async () => {
    const other = await context.newPage();
    other.setDefaultTimeout(patienceMs);
    await other.goto(address, { waitUntil: 'networkidle' });
    await editorText(other).locator('h2').click();
    await other.keyboard.press('End');
    await other.keyboard.type(' of theirs');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved as a revision').waitFor();
    await other.close();

    await editorText(page).locator('h2').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' of mine');
    const dialog = page.getByRole('dialog', { name: /saved this at/ });
    await dialog.getByText('stays in the list of revisions').waitFor();
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await textSaved(page);
    await page.reload();
    await editorText(page).locator('h2').waitFor();
    assert.equal(await editorText(page).locator('h2').innerText(), 'Fifteen minutes of mine');
  });

  it('restores what could not be saved after a reload', async () => {
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.route('**/draft', (route) => route.abort());
    await page.getByLabel('Author').fill('A writer on a train');
    await page.getByText('No answer came').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByText('Your unsaved changes were restored').waitFor();
    await page.unroute('**/draft');
    assert.equal(await page.getByLabel('Author').inputValue(), 'A writer on a train');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await textSaved(page);
    await page.reload({ waitUntil: 'networkidle' });
    assert.equal(await page.getByLabel('Author').inputValue(), 'A writer on a train');
    assert.equal(await page.getByText('Your unsaved changes were restored').count(), 0);
  });

  it('marks the field that keeps it from being saved, until it is corrected', async () => {
    await page.getByLabel('Original address').fill('htt');
    await page.locator('[name=canonical][aria-invalid=true]').waitFor();
    await page.getByLabel('Original address').fill('');
    await textSaved(page);
  });

  it('shows its HTML, and says what the editor has no place for', async () => {
    await editorText(page).locator('h2').waitFor();
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    const source = page.locator('textarea#body');
    assert.match(await source.inputValue(), /<h2>Fifteen minutes of mine<\/h2>/);
    await source.fill('<h2 id="kept">Kept</h2><p onclick="x">a</p><table><caption>b</caption>');
    await page.getByText('cannot show caption').waitFor();
    await textSaved(page);
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    assert.equal(await editorText(page).locator('h2').getAttribute('id'), 'kept');
    assert.equal(await editorText(page).locator('[onclick]').count(), 0);
  });

  it('keeps of what is pasted what a text may hold', async () => {
    const pasted =
      '<h1>Head</h1><p style="color:red">a <b style="font-weight:normal">b</b> <i>c</i> <span style="font-weight:700">d</span>' +
      '<img src="https://tracker.example/p.gif" onerror="alert(1)"></p><script>alert(1)</script>';
    // Into an empty text, where the caret can only be in one place.
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await page.locator('textarea#body').fill('');
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    await editorText(page).focus();
    await page.evaluate(
      `(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', ${JSON.stringify(pasted)});
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.querySelector('#body').dispatchEvent(paste);
      })()`,
    );
    const html = await editorText(page).innerHTML();
    assert.match(html, /<h2>Head<\/h2><p>a b <em>c<\/em> <strong>d<\/strong><\/p>/);
    assert.equal(
      await editorText(page).locator('script, [style], [onerror], img[src*=tracker]').count(),
      0,
    );
    await textSaved(page);
  });

  it('is clear to every reader of the page', async () => {
    await page.goto(address);
    await editorText(page).locator('h2').waitFor();
    await page.evaluate(await readFile(axeFile, 'utf8'));
    const found = await page.evaluate<string[]>(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    );
    assert.deepEqual(found, []);
  });

  it('did nothing that the pages’ policy forbids', () => {
    assert.deepEqual(refused, []);
  });
});
